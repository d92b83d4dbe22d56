import Foundation
import NetKit
import NetKitCookies
import NetKitTesting

/// Logs in with a form, as a browser does.
final class FormLoginRequest: Request {
    typealias ResponseObjectType = Void

    let path = "login"
    let method: HTTPMethod = .post
    let body: RequestBody?

    init(user: String, password: String) {
        body = .form([("user", user), ("password", password)])
    }
}

/// A page for logged-in users only.
final class AccountRequest: Request {
    typealias ResponseObjectType = String

    let path = "account"
}

struct CookiesDemonstration: Demonstration {
    let name = "cookies"
    let summary = "log in with a form, and keep the session cookie in a jar"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.route("POST", "/login") { request in
            guard request.form.contains(where: { $0 == ("password", "open sesame") }) else {
                return .text("wrong password", status: 403)
            }
            return .redirect(to: "/account", status: 303)
                .header("Set-Cookie", "session=e7a1; Path=/; HttpOnly; SameSite=Lax")
                .header("Set-Cookie", "theme=dark; Path=/; Max-Age=86400")
        }
        server.route("GET", "/account") { request in
            let cookies = request.header("Cookie") ?? ""
            return cookies.contains("session=e7a1")
                ? .text("Welcome back, Ada") : .text("log in first", status: 401)
        }
    }

    func run(_ context: Context) async throws {
        let jar = CookieJar()
        context.endpoint.cookies = jar

        context.asked(#"FormLoginRequest(user: "ada", password: "open sesame").execute()"#)
        let answer = Answer<Void>()
        FormLoginRequest(user: "ada", password: "open sesame")
            .execute(on: context.endpoint)
            .onSuccess { answer.succeed(()) }
            .onFail { error in answer.fail(error) }
        try await answer.value
        context.cameBack(jar.cookies.map { "\($0)" }.joined(separator: "\n"))
        try context.expect(
            jar.cookies.map(\.name) == ["session", "theme"],
            "the jar has the cookies of the redirect"
        )

        context.asked("try await AccountRequest().execute().value")
        let page = try await AccountRequest().execute(on: context.endpoint).value
        context.cameBack(page)
        try context.expect(page == "Welcome back, Ada", "the request sent the session cookie")

        context.asked("endpoint.derived { _ in }    // for another user")
        let other = context.endpoint.derived { _ in }
        let refused = Answer<Int?>()
        AccountRequest()
            .execute(on: other)
            .onSuccess { _ in refused.succeed(nil) }
            .onFail { error in refused.succeed(error.statusCode) }
        let status = try await refused.value
        context.cameBack("\(status ?? 200)")
        try context.expect(status == 401, "a derived endpoint has its own session")
    }
}
