public import Foundation
package import NetKitSupport

/// A path segment, or several, in place of the placeholder `{name}`.
///
/// ```swift
/// @Path("id") var id: Int
/// @Path("file", encoding: .segments) var file: String  // "notes/2026/plan.md"
/// ```
///
/// A value can be a string, a number, a Boolean, a date (ISO 8601), a UUID, a URL or `Data` (base64).
/// `RawRepresentable` and `CustomStringConvertible` types work too. The value is percent-encoded to remain a single
/// segment, unless the encoding is ``PathEncoding/segments``. Segments that are empty, `.` or `..` are refused, and so
/// is a parameter whose placeholder isn't in the path.
@propertyWrapper
public struct Path<Value: Sendable>: Sendable {
    package let name: String
    let encoding: PathEncoding
    var storage = ParameterStorage<Value>()

    /// Creates a parameter whose value is set later.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - encoding: The format of the placeholder, and whether the value has several segments. Defaults to one segment
    ///     in place of `{name}`.
    public init(_ name: String, encoding: PathEncoding = PathEncoding(pattern: "{key}")) {
        self.name = name
        self.encoding = encoding
    }

    /// Creates a parameter with a value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value.
    ///   - name: The parameter's name.
    ///   - encoding: The format of the placeholder, and whether the value has several segments. Defaults to one segment
    ///     in place of `{name}`.
    public init(
        wrappedValue: Value,
        _ name: String,
        encoding: PathEncoding = PathEncoding(pattern: "{key}")
    ) {
        self.init(name, encoding: encoding)
        storage.value = wrappedValue
    }

    /// The parameter's value.
    ///
    /// Unless the type is Optional, set the value before you read it.
    public var wrappedValue: Value {
        get { storage.value }
        set { storage.value = newValue }
    }
}

/// The format of a ``Path`` parameter's placeholder.
public struct PathEncoding: Hashable, Sendable {
    /// The placeholder, with `key` in place of the parameter's name.
    let pattern: String
    /// Whether the value has several segments.
    let spansSegments: Bool

    /// Several segments in place of `{name}`.
    ///
    /// The slashes of a string separate its segments. Each element of an array is one segment, so a slash in it is
    /// escaped. A segment that is empty, `.` or `..` is refused as ``InvalidRequest/Reason/unsafePathParameter(_:)``. A
    /// string that begins or ends with a slash has an empty segment.
    public static let segments = PathEncoding(pattern: "{key}", spansSegments: true)

    /// Creates an encoding.
    ///
    /// - Parameters:
    ///   - pattern: The placeholder, with `key` in place of the parameter's name: `{key}`, `:key`, `##key##`.
    ///   - spansSegments: Whether the value has several segments, as with ``segments``. Defaults to false.
    public init(pattern: String, spansSegments: Bool = false) {
        self.pattern = pattern
        self.spansSegments = spansSegments
    }

    /// Returns the placeholder of a parameter.
    func placeholder(for name: String) -> String {
        if pattern == "{key}" { return "{\(name)}" }
        return pattern.replacing("key", with: name, maxReplacements: 1)
    }
}

/// A query parameter with one value or an array of values.
///
/// ```swift
/// @Query("page") var page = 1
/// ```
///
/// A value can be a string, a number, a Boolean, a date (ISO 8601), a UUID, a URL or `Data` (base64).
/// `RawRepresentable` and `CustomStringConvertible` types work too. A nil Optional is omitted.
@propertyWrapper
public struct Query<Value: Sendable>: Sendable {
    let name: String
    let encoding: URLEncoding
    var storage = ParameterStorage<Value>()

    /// Creates a parameter whose value is set later.
    ///
    /// - Parameters:
    ///   - name: The name in the query.
    ///   - encoding: How arrays, Booleans and dates are written. Defaults to that of `URLEncoding()`.
    public init(_ name: String, encoding: URLEncoding = URLEncoding()) {
        self.name = name
        self.encoding = encoding
    }

    /// Creates a parameter with a value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value.
    ///   - name: The name in the query.
    ///   - encoding: How arrays, Booleans and dates are written. Defaults to that of `URLEncoding()`.
    public init(wrappedValue: Value, _ name: String, encoding: URLEncoding = URLEncoding()) {
        self.init(name, encoding: encoding)
        storage.value = wrappedValue
    }

    /// The parameter's value.
    ///
    /// Unless the type is Optional, set the value before you read it.
    public var wrappedValue: Value {
        get { storage.value }
        set { storage.value = newValue }
    }
}

/// A header field that overrides a field of the same name in `headers`.
///
/// ```swift
/// @Header("X-Trace") var trace: String?
/// ```
///
/// A value can be a string, a number, a Boolean, a date (ISO 8601), a UUID, a URL or `Data` (base64).
/// `RawRepresentable` and `CustomStringConvertible` types work too. A nil Optional is omitted. A date in a field that HTTP
/// has for dates, such as `If-Modified-Since`, is written as HTTP does: `Sun, 06 Nov 1994 08:49:37 GMT`.
@propertyWrapper
public struct Header<Value: Sendable>: Sendable {
    let name: HTTPHeaderName
    var storage = ParameterStorage<Value>()

    /// Creates a parameter whose value is set later.
    ///
    /// - Parameter name: The name of the header field.
    public init(_ name: HTTPHeaderName) { self.name = name }

    /// Creates a parameter with a value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value.
    ///   - name: The name of the header field.
    public init(wrappedValue: Value, _ name: HTTPHeaderName) {
        self.init(name)
        storage.value = wrappedValue
    }

    /// The parameter's value.
    ///
    /// Unless the type is Optional, set the value before you read it.
    public var wrappedValue: Value {
        get { storage.value }
        set { storage.value = newValue }
    }
}

/// A value that is encoded as the body or as query items.
///
/// ```swift
/// @Object(encoding: .json) var todo: Todo
/// ```
///
/// It overrides the request's `body`, and ``RawData`` overrides it. A request with two objects for the body is refused.
/// A query and a form keep the encoding order of the members. In JSON, a `Date` is a number, the seconds since 2001,
/// unless the encoder writes it otherwise.
@propertyWrapper
public struct Object<Value: Encodable & Sendable>: Sendable {
    let encoder: JSONEncoder
    let encoding: ParameterEncoding
    /// Whether the fields of a form are query parameters of a GET, HEAD or DELETE request.
    package var followsMethod = false
    var storage = ParameterStorage<Value>()

    /// Creates an object whose value is set later.
    ///
    /// - Parameters:
    ///   - encoder: The encoder for the value, including in a form or a query. Defaults to a plain `JSONEncoder`.
    ///   - encoding: The destination and format of the value. Defaults to a JSON body.
    public init(encoder: JSONEncoder = JSONEncoder(), encoding: ParameterEncoding = .json) {
        self.encoder = encoder
        self.encoding = encoding
    }

    /// Creates an object with a value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value.
    ///   - encoder: The encoder for the value, including in a form or a query. Defaults to a plain `JSONEncoder`.
    ///   - encoding: The destination and format of the value. Defaults to a JSON body.
    public init(
        wrappedValue: Value,
        encoder: JSONEncoder = JSONEncoder(),
        encoding: ParameterEncoding = .json
    ) {
        self.init(encoder: encoder, encoding: encoding)
        storage.value = wrappedValue
    }

    /// The parameter's value.
    ///
    /// Unless the type is Optional, set the value before you read it.
    public var wrappedValue: Value {
        get { storage.value }
        set { storage.value = newValue }
    }
}

/// A body of raw bytes, which overrides every other body.
///
/// ```swift
/// @RawData var image: Data
/// ```
///
/// A ``MultipartFormDataRequest`` with raw data is refused.
@propertyWrapper
public struct RawData: Sendable {
    var storage = ParameterStorage<Data>()

    /// Creates a body whose bytes are set later.
    public init() {}

    /// Creates a body.
    ///
    /// - Parameter wrappedValue: The bytes.
    public init(wrappedValue: Data) { storage.value = wrappedValue }

    /// The bytes.
    ///
    /// Set them before you read them.
    public var wrappedValue: Data {
        get { storage.value }
        set { storage.value = newValue }
    }
}

/// Storage for a parameter's value, which may be unset.
struct ParameterStorage<Value: Sendable>: Sendable {
    private(set) var stored: Value?

    /// The value; nil for an Optional that was never set.
    ///
    /// A value of any other type must be set before it is read. Sending a request doesn't read an unset value but fails
    /// with a typed error.
    var value: Value {
        get {
            if let stored { return stored }
            if let type = Value.self as? any OptionalValue.Type, let none = type.nilValue as? Value
            {
                return none
            }
            // There is no value to return, and the property can't throw.
            preconditionFailure("a parameter of type \(Value.self) was read before it was set")
        }
        set { stored = newValue }
    }
}

extension ParameterStorage: Concealed, StoredParameter {
    /// Whether there is a value.
    package var shown: String { stored == nil ? "unset" : "set" }
    package var storedValue: Any? { stored }
}

/// A parameter's value, for lint.
package protocol StoredParameter {
    /// The value, or nil if none was set.
    var storedValue: Any? { get }
}

/// The format of values in a query or a form.
public struct URLEncoding: Hashable, Sendable {
    /// The format of an array.
    public enum Arrays: Hashable, Sendable {
        /// `key[]=1&key[]=2`
        case brackets
        /// `key=1&key=2`
        case repeated
        /// `key[0]=1&key[1]=2`
        case indexed
        /// `key=1%2C2`, which is `key=1,2` decoded
        case comma
    }

    /// The format of a Boolean.
    public enum Booleans: Hashable, Sendable {
        /// `true` and `false`
        case literal
        /// `1` and `0`
        case numeric
    }

    /// The format of a date.
    public enum Dates: Hashable, Sendable {
        /// `2024-02-29T12:30:00Z`, with milliseconds if the date has any
        case iso8601
        /// `1709209800`, with a fraction if the date has one
        case secondsSince1970
        /// `1709209800000`, rounded to whole milliseconds
        case millisecondsSince1970
    }

    /// The format of a name inside an object.
    public enum Nesting: Hashable, Sendable {
        /// `a[b][c]=1`
        case brackets
        /// `a.b.c=1`
        case dots
    }

    let arrays: Arrays
    let booleans: Booleans
    let dates: Dates
    let nesting: Nesting
    /// Whether it was made for the query or for the body, whatever the method; nil if the method decides.
    package var isForQuery: Bool?

    /// Creates an encoding.
    ///
    /// - Parameters:
    ///   - arrays: The format of an array. Defaults to brackets.
    ///   - booleans: The format of a Boolean. Defaults to literals.
    ///   - dates: The format of a date, unless an ``Object``'s encoder specifies one. Defaults to ISO 8601.
    ///   - nesting: The format of a name inside an object. Defaults to brackets.
    public init(
        arrays: Arrays = .brackets,
        booleans: Booleans = .literal,
        dates: Dates = .iso8601,
        nesting: Nesting = .brackets
    ) {
        (self.arrays, self.booleans, self.dates, self.nesting) = (arrays, booleans, dates, nesting)
    }
}

/// The destination and format of an ``Object``.
public enum ParameterEncoding: Hashable, Sendable {
    /// The body, as `application/json`. In a multipart request, one text part for each member.
    case json
    /// The body, as `application/x-www-form-urlencoded`. In a multipart request, text parts.
    case form(URLEncoding = URLEncoding())
    /// The query.
    case query(URLEncoding = URLEncoding())
}

/// A query item: a name–value pair, a flag or a pre-encoded item.
public struct QueryItem: Hashable, Sendable {
    package let content: QueryContent

    /// Creates an item `name=value`, and percent-encodes both.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    public init(name: String, value: String) {
        content = .pair(name: name, value: value)
    }

    private init(_ content: QueryContent) { self.content = content }

    /// Creates an item without a value: `?name`, not `?name=`.
    ///
    /// - Parameter name: The name, which is percent-encoded.
    /// - Returns: The item.
    public static func flag(_ name: String) -> QueryItem {
        QueryItem(.flag(name))
    }

    /// Creates an item that is already percent-encoded, such as part of a signed URL.
    ///
    /// The item is sent unchanged, except that bytes that are invalid in a query (RFC 3986, section 3.4) are encoded.
    /// These include `#`, and a `%` that doesn't begin a triplet.
    ///
    /// - Parameters:
    ///   - name: The percent-encoded name.
    ///   - value: The percent-encoded value, or nil for an item without a value.
    /// - Returns: The item.
    public static func encoded(name: String, value: String?) -> QueryItem {
        QueryItem(.encoded(value.map { "\(name)=\($0)" } ?? name))
    }

    /// The decoded name, for comparison with other names.
    package var name: String { content.name }
}

extension QueryItem: Concealed {
    /// The name, without the value.
    package var shown: String { content.name }
}
