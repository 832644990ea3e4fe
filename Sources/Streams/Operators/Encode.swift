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
    public struct Encode<Upstream: Publisher, Coder: TopLevelEncoder>: Operator, Attaching where Upstream.Output: Encodable {
        /// The encoded value.
        public typealias Output = Coder.Output
        /// The error that the encoder throws, or that the upstream fails with.
        public typealias Failure = any Error
        /// The upstream publisher.
        public let upstream: Upstream
        @usableFromInline let encoder: Coder

        /// Creates a publisher that encodes its upstream's values.
        @inlinable public init(upstream: Upstream, encoder: Coder) {
            self.upstream = upstream
            self.encoder = encoder
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Coder.Output, any Error>) {
            upstream.step(into: subscriber, as: "Encode", isStrict: false) { [encoder] in .send(try encoder.encode($0)) }
        }
    }

    /// A publisher that decodes its upstream's values.
    public struct Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder>: Operator, Attaching
    where Upstream.Output == Coder.Input {
        /// The error that the decoder throws, or that the upstream fails with.
        public typealias Failure = any Error
        /// The upstream publisher.
        public let upstream: Upstream
        @usableFromInline let decoder: Coder

        /// Creates a publisher that decodes its upstream's values.
        @inlinable public init(upstream: Upstream, decoder: Coder) {
            self.upstream = upstream
            self.decoder = decoder
        }

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
    /// Encodes each value; fails with the error that the encoder throws.
    @inlinable public func encode<Coder: TopLevelEncoder>(encoder: Coder) -> Publishers.Encode<Self, Coder>
    where Output: Encodable { .init(upstream: self, encoder: encoder) }

    /// Decodes each value into the given type; fails with the error that the decoder throws.
    @inlinable public func decode<Item: Decodable, Coder: TopLevelDecoder>(
        type: Item.Type, decoder: Coder
    ) -> Publishers.Decode<Self, Item, Coder> where Output == Coder.Input { .init(upstream: self, decoder: decoder) }
}
