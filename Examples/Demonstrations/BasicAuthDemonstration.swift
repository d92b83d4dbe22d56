import NetKit

/// Basic authentication (RFC 7617), with the right and a wrong password.
struct BasicAuthDemonstration: Demonstration {
    let name = "basic-auth"
    let summary = "Basic authentication with a user name and password"
    let needsOwnServer = false

    func run(_ context: Context) async throws {
        context.asked(
            #"BasicAuthRequest(…, sending: .basic(username: "ada", password: "fake-password"))"#
        )
        let account = try await context.endpoint.value(
            for: request(password: "fake-password")
        )
        context.cameBack("\(account)")
        try context.expect(account.user == "ada", "the server accepted the right password")

        context.asked(#"BasicAuthRequest(…, sending: .basic(username: "ada", password: "wrong"))"#)
        do {
            let account = try await context.endpoint.value(for: request(password: "wrong"))
            context.cameBack("\(account)")
        } catch {
            context.cameBack(error.message)
            return try context.expect(error.statusCode == 401, "the wrong password was a 401")
        }
        throw DemonstrationError("the server accepted the wrong password")
    }

    private func request(password: String) -> BasicAuthRequest {
        BasicAuthRequest(
            accepted: "ada",
            "fake-password",
            sending: .basic(username: "ada", password: password)
        )
    }
}
