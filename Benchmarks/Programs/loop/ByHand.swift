var state = 0
print(state)
for event in [1, 2, 3] {
    state += event
    print(state)
}
