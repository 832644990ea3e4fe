import Streams

let numbers = PassthroughSubject<Int, Never>()

let tenSteps =
    numbers
    .map { $0 + 1 }
    .filter { $0 > 3 }
    .map { $0 + 1 }
    .filter { $0 > 3 }
    .map { $0 + 1 }
    .filter { $0 > 3 }
    .map { $0 + 1 }
    .filter { $0 > 3 }
    .map { $0 + 1 }
    .filter { $0 > 3 }

let tenMaps =
    numbers
    .map { $0 * 2 + 1 }
    .map { $0 * 2 + 1 }
    .map { $0 * 2 + 1 }
    .map { $0 * 2 + 1 }
    .map { $0 * 2 + 1 }
    .map { $0 * 2 + 1 }
    .map { $0 * 2 + 1 }
    .map { $0 * 2 + 1 }
    .map { $0 * 2 + 1 }
    .map { $0 * 2 + 1 }

let sixTries =
    numbers
    .tryMap { $0 + 1 }
    .tryFilter { $0 > 3 }
    .tryMap { $0 + 1 }
    .tryFilter { $0 > 3 }
    .tryMap { $0 + 1 }
    .tryFilter { $0 > 3 }
