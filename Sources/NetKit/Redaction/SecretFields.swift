// Which header fields are secret: those that are left behind on the way to another origin, and not shown.

extension HTTPHeaderName {
    /// Whether a name is or suggests a secret's: the value is hidden, and left behind at other origins.
    package var soundsSecret: Bool {
        isCredential || SecretNames.suggests(rawName)
    }
}

extension HTTPHeaders {
    /// The fields that are left behind on the way to another origin: those that are marked sensitive, are hidden by
    /// their names, or are for the first origin alone.
    ///
    /// - Parameter names: Which others are hidden.
    /// - Returns: The names of those that are there.
    func credentials(hiding names: Set<HTTPHeaderName>) -> [HTTPHeaderName] {
        fields.filter { field in
            field.isSensitive || field.staysHome || field.name.soundsSecret
                || names.contains(field.name)
        }
        .map(\.name)
    }

    /// The fields that may follow to another origin.
    ///
    /// - Parameter names: Which fields are hidden besides those that are always. Defaults to none.
    /// - Returns: All but the credentials.
    package func withoutCredentials(hiding names: Set<HTTPHeaderName> = []) -> HTTPHeaders {
        var rest = self
        let secrets = Set(credentials(hiding: names))
        rest.removeFields { secrets.contains($0.name) }
        rest.tokenMark = nil
        return rest
    }
}

extension HTTPHeaders: Concealed {
    /// The fields, one after the other, without the values of those that are or sound secret.
    public var description: String {
        fields.map { "\($0.name): \(shown($0))" }.joined(separator: ", ")
    }

    private func shown(_ field: Field) -> String {
        Redaction.secrets.shown(field.value, of: field.name, in: self)
    }
}
