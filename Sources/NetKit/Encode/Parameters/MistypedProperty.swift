import Foundation
import NetKitSupport

/// A property of a request that Swift takes for an unrelated one, so that its value would be ignored.
///
/// It has the name of a ``Request`` requirement, but another type, or is stored in a subclass of the class that has the
/// requirement. Or it has one of a few names that are written for a requirement by mistake, and nothing else of the
/// request uses its value.
package struct MistypedProperty: Equatable, Sendable {
    /// The property's name.
    package let name: String
    /// The property's type.
    package let type: String
    /// The type of the requirement, or the requirement that is meant, with its type.
    package let expected: String

    /// Finds the mistyped properties of a request, including those of its superclasses.
    ///
    /// Stored properties come first, in the order of their declaration. A parameter such as ``Query`` can have any name.
    package static func all<R: Request>(
        in request: R,
        parameters: Set<String>? = nil
    ) -> [MistypedProperty] {
        let stored = StoredProperties.of(request)
        let parameters = parameters ?? parameterNames(in: request)
        let members = RequestMember.all(of: R.self)
        let wrong =
            members.filter { member in
                !member.isExact && !parameters.contains("_\(member.name)")
                    && !member.isHonored(in: request)
            }
        // The properties of a class or of a mirror of its own can stand for others.
        let isPlain =
            Mirror(reflecting: request).displayStyle != .class
            && !(request is any CustomReflectable)
        var found: [MistypedProperty] = []
        for (label, value) in stored {
            if let member = wrong.first(where: { $0.name == label }) {
                found.append(MistypedProperty(member))
            } else if isPlain,
                let member = members.first(where: { $0.name == label && $0.isExact }),
                member.isIgnored(value, in: request)
            {
                found.append(Self(name: label, type: member.unwrapped, expected: member.spelling))
            } else if label == "responseDecoding", value is any AnyDecoding,
                !(value is ResponseDecoding<R.ResponseObjectType>)
            {
                let expected = "ResponseDecoding<\(R.ResponseObjectType.self)>"
                found.append(MistypedProperty(label, value, expected: expected))
            } else if request is any ForwardingRequest, value is any RequestParameter {
                // The parameters of the request that it wraps are sent.
                let name = String(label.drop { $0 == "_" })
                let expected = "a parameter of the wrapped request"
                found.append(MistypedProperty(name, value, expected: expected))
            } else if holdsParameters(value) {
                let expected = "parameters of the request itself"
                found.append(MistypedProperty(label, value, expected: expected))
            }
        }
        found += added(in: request, members)
        let known = Set(found.map(\.name))
        return found + wrong.filter { !known.contains($0.name) }.map { MistypedProperty($0) }
    }

    /// Finds the stored properties that a subclass adds, of which Swift uses the superclass's or the default.
    ///
    /// None can be an override: Swift has no stored ones.
    private static func added(
        in request: some Request,
        _ members: [RequestMember]
    ) -> [MistypedProperty] {
        var found: [MistypedProperty] = []
        for mirror in sequence(first: Mirror(reflecting: request), next: { $0.superclassMirror }) {
            guard let parent = mirror.superclassMirror?.subjectType, parent is any Request.Type
            else { break }
            for (label, value) in mirror.children {
                let member = members.first { $0.name == label }
                guard let member, !member.isUnrelated(Swift.type(of: value)) else { continue }
                let declaration = "override var \(member.name): \(member.spelling)"
                let expected = "it in \(parent), and here \(declaration)"
                found.append(Self(name: member.name, type: member.spelling, expected: expected))
            }
        }
        return found
    }

    /// Whether a property has parameters inside, such as a struct for several requests, where NetKit doesn't look.
    ///
    /// The types of its properties or elements decide, so that neither an empty array nor a long one matters.
    private static func holdsParameters(_ value: Any) -> Bool {
        guard !(value is any RequestParameter), !(value is any Request),
            let value = Unwrapped.value(value)
        else { return false }
        guard let elements = value as? any Collection else {
            return RequestParameters.hasParameter(value)
        }
        return RequestParameters.isParameter(elementType(of: elements))
    }

    private static func elementType<C: Collection>(of _: C) -> any Any.Type { C.Element.self }

    /// The stored properties of a request's parameters: `_name` for `name`.
    static func parameterNames(in request: some Request) -> Set<String> {
        let parameters = StoredProperties.of(request).filter { $0.value is any RequestParameter }
        return Set(parameters.map(\.label))
    }
}

extension MistypedProperty {
    init(_ name: String, _ value: Any, expected: String) {
        self.init(name: name, type: "\(Swift.type(of: value))", expected: expected)
    }

    private init(_ member: RequestMember) {
        self.init(name: member.name, type: "\(member.type)", expected: member.spelling)
    }
}

private protocol AnyDecoding {}

extension ResponseDecoding: AnyDecoding {}
