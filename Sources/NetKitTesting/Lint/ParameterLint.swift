import NetKit

// Properties, parameters, and their places in the path.
extension LintedRequest {
    /// Properties that would be ignored.
    var propertyFindings: [RequestFinding] {
        mistypedProperties.map { property in
            RequestFinding(
                kind: .mistypedProperty,
                subject: property.name,
                reason: InvalidRequest(property).description
            )
        }
    }

    /// Parameters without a value.
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

    /// Placeholders and parameters that do not meet, and segments that lead upwards.
    var pathFindings: [RequestFinding] {
        let (_, placeholders, parameters) = filledPath
        var findings = placeholders.map { name in
            RequestFinding(
                kind: .placeholderWithoutParameter,
                subject: name,
                reason: "the path has {\(name)}, and no @Path stands for it"
            )
        }
        findings += parameters.map { name in
            RequestFinding(
                kind: .parameterWithoutPlaceholder,
                subject: name,
                reason: "the path has no place for @Path \(name.debugDescription)"
            )
        }
        if hasDotSegments {
            findings.append(
                RequestFinding(
                    kind: .dotSegments,
                    subject: "..",
                    reason: "the path has a segment \"..\", and leads elsewhere than it reads"
                )
            )
        }
        return findings
    }

    /// The path with as many values in it as have a place; then the names of placeholders without a
    /// parameter, and of parameters without a placeholder.
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
        // A request without parameters has none that could be refused.
        try? RequestParameters(of: Blank(), RequestTraits.of(Blank()))
    }

    private var hasDotSegments: Bool {
        request.path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
            .contains { segment in
                segment.lowercased().replacing("%2e", with: ".") == ".."
            }
    }
}

extension String {
    /// Whether the bytes of `text` stand in this one's; characters may well be others.
    fileprivate func utf8Contains(_ text: String) -> Bool {
        utf8.firstRange(of: text.utf8) != nil
    }
}
