import Foundation

extension ResponseDecoding where Value: Decodable {
    /// Decodes a property list, XML or binary.
    ///
    /// It asks for `application/x-plist`. A body that is none is a ``DecodingFailure``.
    public static var propertyList: Self {
        Self(accept: "application/x-plist, application/xml;q=0.9", readsBody: true) { response, _ in
            do {
                return try PropertyListDecoder().decode(Value.self, from: response.body)
            } catch let error as DecodingError {
                throw DecodingFailure(error, decoding: Value.self, as: "a property list")
            }
        }
    }
}
