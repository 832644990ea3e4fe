/// A type that encodes whole values into one kind of output.
///
/// Foundation's encoders have the required method: a program that declares
/// `extension JSONEncoder: @retroactive TopLevelEncoder {}` can call `encode(encoder: JSONEncoder())`. The same holds for
/// decoders and ``TopLevelDecoder``.
public protocol TopLevelEncoder {
    /// The type that values are encoded into.
    associatedtype Output

    /// Encodes a value.
    func encode<T: Encodable>(_ value: T) throws -> Output
}

/// A type that decodes whole values from one kind of input. See ``TopLevelEncoder``.
public protocol TopLevelDecoder {
    /// The type that values are decoded from.
    associatedtype Input

    /// Decodes a value.
    func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}

extension Publishers {
    /// A publisher that encodes its upstream's values.
    public typealias Encode<Upstream: Publisher, Coder: TopLevelEncoder> = TryMap<Upstream, Coder.Output>
    where Upstream.Output: Encodable

    /// A publisher that decodes its upstream's values.
    public typealias Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder> = TryMap<Upstream, Output>
    where Upstream.Output == Coder.Input
}

extension Publisher {
    /// Encodes each value; fails with the error that the encoder throws.
    public func encode<Coder: TopLevelEncoder & Sendable>(encoder: Coder) -> Publishers.Encode<Self, Coder>
    where Output: Encodable {
        .init(mapping: self, named: "Encode", coding { try encoder.encode($0) })
    }

    /// Decodes each value into the given type; fails with the error that the decoder throws.
    public func decode<Item: Decodable, Coder: TopLevelDecoder & Sendable>(
        type: Item.Type, decoder: Coder
    ) -> Publishers.Decode<Self, Item, Coder> where Output == Coder.Input {
        .init(mapping: self, named: "Decode", coding { try decoder.decode(Item.self, from: $0) })
    }
}

/// Returns a closure that captures only a coder and metatypes as a `@Sendable` one. The compiler does not accept the latter as Sendable.
private func coding<Input, Output>(_ closure: @escaping (Input) throws -> Output) -> @Sendable (Input) throws -> Output {
    let transfer = UncheckedTransfer(closure)
    return { try transfer.value($0) }
}
