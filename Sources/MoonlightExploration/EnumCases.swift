/// The names of the cases of enums, as they are in the source, whatever their descriptions say.
///
/// They come from the metadata that reflection uses. A program that is built with `-disable-reflection-metadata` has none: then
/// there are no names.
enum EnumCases {
    /// Returns the name of the case of a value, without its payload; nil if the value is not an enum, or has no metadata.
    ///
    /// `Mirror` tells the name of a case only if it has a payload, and a description may be anything. The runtime tells it in any
    /// case; the standard library prints enums by the same function. An optional is `some` or `none`.
    static func name(of value: Any) -> String? { enumCaseName(value).map { String(cString: $0) } }

    /// Returns the names of all cases of an enum type: those with payloads first, then the others, each in the order of the source;
    /// nil if the type is not an enum, or has no metadata.
    ///
    /// The reads from raw memory are sound because of what Swift's ABI promises (`TypeMetadata.rst` in the compiler's
    /// documentation, and `RemoteInspection/Records.h` of its runtime), on Linux as on Apple's systems:
    /// - A value of `Any.Type` is a pointer to metadata, which is never freed. Its first word is the kind; a class's is a pointer or
    ///   a number above all kinds, so that it is not taken for another one.
    /// - The second word of an enum's or optional's metadata points to the descriptor of the type, which is constant data. The
    ///   descriptor of an enum says that it is one in the lower five bits of its first four bytes.
    /// - Four bytes at offset 16 of the descriptor are the distance from there to the descriptor of the fields, or zero if there is
    ///   none. That one has the kind in two bytes at offset 8, the size of a record in two at 10, the number of records in four at
    ///   12, and the records from 16 on.
    /// - Four bytes at offset 8 of a record are the distance from there to the name, a C string.
    ///
    /// All numbers have the byte order of the machine and are aligned. On systems that sign pointers in metadata (arm64e), nil.
    static func names(of type: Any.Type) -> [String]? {
        #if _ptrauth(_arm64e)
            return nil
        #else
            let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
            let kind = metadata.load(as: UInt.self)
            guard kind == 0x201 || kind == 0x202 else { return nil }
            let type = metadata.load(fromByteOffset: MemoryLayout<UInt>.size, as: UnsafeRawPointer.self)
            guard type.load(as: UInt32.self) & 0x1F == 18, let fields = relative(type + 16) else { return nil }
            // An enum, or one with several payloads.
            guard 2...3 ~= fields.load(fromByteOffset: 8, as: UInt16.self) else { return nil }
            let size = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
            let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
            var names: [String] = []
            for index in 0..<count {
                guard let name = relative(fields + 16 + index * size + 8) else { return nil }
                names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
            }
            return names
        #endif
    }

    /// What a relative pointer points to: the distance from where it is itself; nil if that is zero.
    private static func relative(_ pointer: UnsafeRawPointer) -> UnsafeRawPointer? {
        let distance = Int(pointer.load(as: Int32.self))
        return distance == 0 ? nil : pointer + distance
    }
}

/// Returns the name of an enum value's case, a constant of the program; nil if there is none.
///
/// Sound: the declaration is that of the standard library (`_getEnumCaseName`), whose ABI is stable.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
