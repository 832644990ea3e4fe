let observer = [1, 2, 3].publisher.scan(0) { $0 + $1 }.sink { print($0) }
