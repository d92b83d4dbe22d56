import NetKitSupport

extension HTTPHeaderName {
    /// Whether fields with this name are always secret, even if they aren't marked sensitive.
    package var isCredential: Bool { folded.isCredential }

    /// Whether the name suggests a credential, which is removed at other origins.
    package var soundsSecret: Bool { folded.soundsSecret }
}

extension HTTPHeaders {
    /// Returns the fields to remove on requests to another origin.
    ///
    /// They are the fields that are marked sensitive, have a secret's name, or are meant only for the first origin.
    ///
    /// - Parameter names: The names of additional secret fields.
    /// - Returns: The names of the fields in this collection.
    package func credentials(hiding names: Set<HTTPHeaderName>) -> [HTTPHeaderName] {
        fields.filter { field in
            field.isSensitive || field.staysHome || field.name.soundsSecret
                || names.contains(field.name)
        }
        .map(\.name)
    }

    /// Returns whether two collections have the same credentials, byte by byte.
    ///
    /// - Parameters:
    ///   - other: The other collection.
    ///   - names: The names of additional secret fields.
    /// - Returns: Whether they have the same.
    func hasSameCredentials(as other: HTTPHeaders, hiding names: Set<HTTPHeaderName>) -> Bool {
        Set(credentials(hiding: names)).union(other.credentials(hiding: names))
            .allSatisfy { name in
                values(for: name).map { ExactText($0) }
                    == other.values(for: name).map { ExactText($0) }
            }
    }

    /// Returns the fields that can be sent to another origin.
    ///
    /// - Parameter names: The names of additional secret fields. Defaults to none.
    /// - Returns: All fields except credentials.
    package func withoutCredentials(hiding names: Set<HTTPHeaderName> = []) -> HTTPHeaders {
        var rest = self
        let secrets = Set(credentials(hiding: names))
        rest.removeFields { secrets.contains($0.name) }
        rest.tokenMark = nil
        return rest
    }
}

extension HTTPHeaders: Concealed {
    /// The fields, with the values of harmless fields only.
    package var shown: String {
        fields.map { "\($0.name): \(shown($0))" }.joined(separator: ", ")
    }

    private func shown(_ field: Field) -> String {
        Redaction.secrets.shown(field.value, of: field.name, in: self)
    }
}
