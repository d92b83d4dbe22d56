import NetKit
import NetKitSupport

// Mistakes in properties, parameters and path placeholders.
extension LintedRequest {
    /// Findings for properties that NetKit would ignore.
    var propertyFindings: [RequestFinding] {
        mistypedProperties.map { property in
            RequestFinding(
                kind: .mistypedProperty,
                subject: property.name,
                reason: InvalidRequest(property).description
            )
        }
    }

    /// Findings for parameters without a value.
    var parameterFindings: [RequestFinding] {
        parameters.filter(\.isUnset)
            .map { parameter in
                let name = parameter.refusedName
                let shown = name.isEmpty ? "" : " \(name.debugDescription)"
                return RequestFinding(
                    kind: .unsetParameter,
                    subject: name,
                    reason: "\(parameter.wrapper)\(shown) has no value"
                )
            }
    }

    /// Findings for placeholders and parameters that don't match, and for `..` segments.
    var pathFindings: [RequestFinding] {
        let (_, placeholders, parameters) = filledPath
        var findings = placeholders.map { name in
            RequestFinding(
                kind: .placeholderWithoutParameter,
                subject: name,
                reason: "no @Path fills {\(name)} of the path"
            )
        }
        findings += parameters.map { name in
            RequestFinding(
                kind: .parameterWithoutPlaceholder,
                subject: name,
                reason: "the path has no placeholder for @Path \(name.debugDescription)"
            )
        }
        if hasDotSegments {
            findings.append(
                RequestFinding(
                    kind: .dotSegments,
                    subject: "..",
                    reason: "the path has a segment \"..\", which changes the resource"
                )
            )
        }
        return findings
    }

    /// The path with its values filled in, the placeholders without a parameter, and the parameters
    /// without a placeholder.
    var filledPath: (path: String, placeholders: [String], parameters: [String]) {
        var template = request.path
        for parameter in parameters where parameter.wrapper == "@Path" {
            guard parameter.refusal != nil else { continue }
            template = template.replacing("{\(parameter.refusedName)}", with: "x")
        }
        var filled: RequestParameters?
        for (_, values) in contributions {
            if filled == nil { filled = values } else { filled?.path += values.path }
        }
        guard var filled = filled ?? blankParameters else { return (template, [], []) }
        let unmet = filled.path.filter { !template.utf8Contains($0.placeholder) }.map(\.name)
        filled.path.removeAll { !template.utf8Contains($0.placeholder) }
        var placeholders: [String] = []
        while true {
            do throws(InvalidRequest) {
                return (try filled.path(in: template), placeholders, unmet)
            } catch {
                guard case .missingPathParameter(let name) = error.reason,
                    template.contains("{\(name)}")
                else { return (template, placeholders, unmet) }
                placeholders.append(name)
                template = template.replacing("{\(name)}", with: "x")
            }
        }
    }

    private var blankParameters: RequestParameters? {
        // A request without parameters has no invalid ones.
        try? RequestParameters(of: Blank(), RequestTraits.of(Blank()))
    }

    private var hasDotSegments: Bool {
        writtenPath.path.split(separator: "/")
            .contains { segment in
                segment.lowercased().replacing("%2e", with: ".") == ".."
            }
    }
}

extension String {
    /// Whether the string contains the bytes of `text`, even if the characters differ.
    fileprivate func utf8Contains(_ text: String) -> Bool {
        utf8.firstRange(of: text.utf8) != nil
    }
}
