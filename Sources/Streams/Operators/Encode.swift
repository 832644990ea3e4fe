/// Something that encodes whole values into one kind of output. Foundation's encoders have what it takes: a program that says
/// `extension JSONEncoder: @retroactive TopLevelEncoder {}` may call `encode(encoder: JSONEncoder())`. So for ``TopLevelDecoder``.
public protocol TopLevelEncoder {
    /// What a value is encoded into.
    associatedtype Output

    /// Encodes a value.
    func encode<T: Encodable>(_ value: T) throws -> Output
}

/// Something that decodes whole values from one kind of input. See ``TopLevelEncoder``.
public protocol TopLevelDecoder {
    /// What a value is decoded from.
    associatedtype Input

    /// Decodes a value.
    func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}

extension Publishers {
    /// A publisher that encodes values.
    public struct Encode<Upstream: Publisher, Coder: TopLevelEncoder>: Operator, Attaching where Upstream.Output: Encodable {
        /// What is sent.
        public typealias Output = Coder.Output
        /// What encoding may throw.
        public typealias Failure = any Error
        /// Where the values come from.
        public let upstream: Upstream
        @usableFromInline let encoder: Coder

        /// A publisher that encodes values.
        @inlinable public init(upstream: Upstream, encoder: Coder) { (self.upstream, self.encoder) = (upstream, encoder) }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Coder.Output, any Error>) {
            upstream.step(into: subscriber, as: "Encode", isStrict: false) { [encoder] in .send(try encoder.encode($0)) }
        }
    }

    /// A publisher that decodes values.
    public struct Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder>: Operator, Attaching
    where Upstream.Output == Coder.Input {
        /// What decoding may throw.
        public typealias Failure = any Error
        /// Where the values come from.
        public let upstream: Upstream
        @usableFromInline let decoder: Coder

        /// A publisher that decodes values.
        @inlinable public init(upstream: Upstream, decoder: Coder) { (self.upstream, self.decoder) = (upstream, decoder) }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Output, any Error>) {
            upstream.step(into: subscriber, as: "Decode", isStrict: false) { [decoder] in
                .send(try decoder.decode(Output.self, from: $0))
            }
        }
    }
}

extension Publishers.Encode: Sendable where Upstream: Sendable, Coder: Sendable {}

extension Publishers.Decode: Sendable where Upstream: Sendable, Coder: Sendable {}

extension Publisher {
    /// Encodes each value; fails with what the encoder throws.
    @inlinable public func encode<Coder: TopLevelEncoder>(encoder: Coder) -> Publishers.Encode<Self, Coder>
    where Output: Encodable { .init(upstream: self, encoder: encoder) }

    /// Decodes each value; fails with what the decoder throws.
    @inlinable public func decode<Item: Decodable, Coder: TopLevelDecoder>(
        type: Item.Type, decoder: Coder
    ) -> Publishers.Decode<Self, Item, Coder> where Output == Coder.Input { .init(upstream: self, decoder: decoder) }
}
