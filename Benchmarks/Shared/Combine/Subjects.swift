// One sender and its subscribers.

func subjects() -> [Work] {
    [subject(to: 1), subject(to: 10), subject(to: 100), subject(to: 1000), subjectChain, currentValue]
}

private func subject(to count: Int) -> Work {
    Work.prepared(.subject(count), library) { () -> (Int) -> Void in
        let total = total
        let subject = PassthroughSubject<Int, Never>()
        let sinks = (0..<count).map { _ in subject.sink { mix($0, into: total) } }
        return { n in withExtendedLifetime(sinks) { for i in 0..<(n / count) { subject.send(i) } } }
    }
}

private var subjectChain: Work {
    Work.prepared(.subjectChain, library) { () -> (Int) -> Void in
        let total = total
        let subject = PassthroughSubject<Int, Never>()
        let sink = subject.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.sink { mix($0, into: total) }
        return { n in withExtendedLifetime(sink) { for i in 0..<n { subject.send(i) } } }
    }
}

// Every second value is a duplicate.
private var currentValue: Work {
    Work.prepared(.currentValue, library) { () -> (Int) -> Void in
        let total = total
        let subject = CurrentValueSubject<Int, Never>(0)
        let sink = subject.map { $0 &+ 1 }.removeDuplicates().sink { mix($0, into: total) }
        return { n in withExtendedLifetime(sink) { for i in 0..<n { subject.send(i >> 1) } } }
    }
}
