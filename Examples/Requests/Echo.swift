import NetKit

/// httpbin's response to most requests: the request it received.
struct Echo: ResponseObject {
    let args: [String: Texts]
    let headers: [String: Texts]
    /// The fields of a form, in the response to a POST.
    let form: [String: Texts]?
    let files: [String: Texts]?
}

/// One or several strings: httpbin sends `"a"` for one value and `["a", "b"]` for two.
struct Texts: ResponseObject {
    let all: [String]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let one = try? container.decode(String.self) {
            all = [one]
        } else {
            all = try container.decode([String].self)
        }
    }
}
