for await state in [1, 2, 3].async.reductions(0, { $0 + $1 }) { print(state) }
