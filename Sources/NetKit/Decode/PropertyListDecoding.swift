import Foundation

extension ResponseDecoding where Value: Decodable {
    /// Decodes a property list, XML or binary.
    ///
    /// It asks for `application/x-plist`. A body that is none is a ``DecodingFailure``, and so is one whose arrays and
    /// dictionaries nest more than 512 deep, XML in another charset than UTF-8, and a binary one whose references make
    /// far more of it than it has bytes.
    public static var propertyList: Self {
        Self(accept: "application/x-plist, application/xml;q=0.9", readsBody: true) { response, _ in
            do {
                guard response.body.withUnsafeBytes(PropertyListLimits.permit) else {
                    let problem = "no property list, or one beyond the limits"
                    throw DecodingError.dataCorrupted(
                        .init(codingPath: [], debugDescription: problem)
                    )
                }
                return try PropertyListDecoder().decode(Value.self, from: response.body)
            } catch let error as DecodingError {
                throw DecodingFailure(error, decoding: Value.self, as: "a property list")
            }
        }
    }
}
