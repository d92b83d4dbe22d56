import NetKit

/// User and password as RFC 7617 says; a wrong one is an error like any other.
struct BasicAuthDemonstration: Demonstration {
    let name = "basic-auth"
    let summary = "a user name and a password"
    let needsOwnServer = false

    func run(_ context: Context) async throws {
        context.asked(
            #"BasicAuthRequest(…, sending: .basic(username: "ada", password: "fake-password"))"#
        )
        let account = try await context.endpoint.value(
            for: request(password: "fake-password")
        )
        context.cameBack("\(account)")
        try context.expect(account.user == "ada", "the right password opens the door")

        context.asked(#"BasicAuthRequest(…, sending: .basic(username: "ada", password: "wrong"))"#)
        do {
            let account = try await context.endpoint.value(for: request(password: "wrong"))
            context.cameBack("\(account)")
        } catch {
            context.cameBack(error.message)
            return try context.expect(error.statusCode == 401, "the wrong one is a 401 at once")
        }
        throw Misbehaviour("the wrong password opens the door, too")
    }

    private func request(password: String) -> BasicAuthRequest {
        BasicAuthRequest(
            accepted: "ada",
            "fake-password",
            sending: .basic(username: "ada", password: password)
        )
    }
}
