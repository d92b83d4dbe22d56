extension MimeType {
    /// The subtypes of `model/…`; add your own by an extension.
    public struct Model: RawRepresentable, Hashable, Sendable {
        /// The subtype as it is sent.
        public let rawValue: String

        /// Makes a subtype.
        ///
        /// - Parameter rawValue: The subtype as it is sent.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The media type `model/…` of a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: Parameters, sent sorted by name, quoted where they have to be.
    /// - Returns: The media type.
    public static func model(
        _ subtype: Model,
        parameters: [String: String] = [:]
    ) -> MimeType {
        MimeType(type: "model", subtype: subtype.rawValue, parameters: parameters)
    }
}

extension MimeType.Model {
    /// `model/example`.
    public static let example = Self(rawValue: "example")
    /// `model/gltf-binary`.
    public static let gltfBinary = Self(rawValue: "gltf-binary")
    /// `model/gltf+json`.
    public static let gltfJSON = Self(rawValue: "gltf+json")
    /// `model/iges`.
    public static let iges = Self(rawValue: "iges")
    /// `model/mesh`.
    public static let mesh = Self(rawValue: "mesh")
    /// `model/vrml`.
    public static let vrml = Self(rawValue: "vrml")
    /// `model/x3d+binary`.
    public static let x3dBinary = Self(rawValue: "x3d+binary")
    /// `model/x3d+vrml`.
    public static let x3dVRML = Self(rawValue: "x3d+vrml")
    /// `model/x3d+xml`.
    public static let x3dXML = Self(rawValue: "x3d+xml")
}
