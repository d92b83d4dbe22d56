// Lists the small faults that scripts/mutate can plant in Swift files, as one JSON object per line:
//
//     {"file": …, "line": 12, "start": 340, "end": 345, "fault": "boundary", "before": "a < b", "after": …}
//
// `start` and `end` are offsets in bytes. `after` replaces them; its "#" is the number of the fault. The fault happens
// while `Mutant.on(#)` is true, so that one build holds every fault. Some of them don't compile: scripts/mutate drops
// those.
import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

struct Fault: Encodable {
    let file: String
    let line: Int
    let start: Int
    let end: Int
    let fault: String
    let before: String
    let after: String
    /// What the reader of a report sees: `a < b` becomes `a <= b`.
    let shown: String
}

final class Faults: SyntaxVisitor {
    private let file: String
    private let bytes: [UInt8]
    private let lines: SourceLocationConverter
    private(set) var found: [Fault] = []

    init(file: String, text: String, tree: Syntax) {
        self.file = file
        bytes = Array(text.utf8)
        lines = SourceLocationConverter(fileName: file, tree: tree)
        super.init(viewMode: .sourceAccurate)
    }

    private func text(_ node: some SyntaxProtocol) -> String {
        let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
        let end = node.endPositionBeforeTrailingTrivia.utf8Offset
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// Adds a fault that replaces a node.
    private func add(_ fault: String, _ node: some SyntaxProtocol, _ after: String, shown: String) {
        let start = node.positionAfterSkippingLeadingTrivia
        found.append(
            Fault(
                file: file,
                line: lines.location(for: start).line,
                start: start.utf8Offset,
                end: node.endPositionBeforeTrailingTrivia.utf8Offset,
                fault: fault,
                before: text(node),
                after: after,
                shown: shown
            )
        )
    }

    /// Adds a fault that replaces an expression by another of the same type.
    private func add(_ fault: String, _ node: some ExprSyntaxProtocol, instead: String) {
        add(
            fault,
            node,
            "(Mutant.on(#) ? \(instead) : \(text(node)))",
            shown: "\(text(node)) becomes \(instead)"
        )
    }

    /// Inverts a condition, unless its operator is inverted anyway.
    private func invert(_ condition: ExprSyntax) {
        let symbol = condition.as(InfixOperatorExprSyntax.self)?.operator
            .as(BinaryOperatorExprSyntax.self)
        guard !["==", "!="].contains(symbol?.operator.text),
            !condition.is(PrefixOperatorExprSyntax.self)
        else { return }
        let plain = text(condition)
        add(
            "inverted condition",
            condition,
            "(Mutant.on(#) != (\(plain)))",
            shown: "\(plain) becomes its opposite"
        )
    }

    // What has no faults.

    // Another platform's code doesn't run here.
    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    // A default argument of a public function can't name an internal type.
    override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
        .skipChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        isUnobservable(node) ? .skipChildren : .visitChildren
    }

    /// Whether a call changes only how fast the code is, or ends the process.
    private func isUnobservable(_ call: FunctionCallExprSyntax) -> Bool {
        let name =
            call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            ?? call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
        return [
            "reserveCapacity", "precondition", "assert", "assertionFailure", "preconditionFailure",
        ]
        .contains(name ?? "")
    }

    // Conditions and operators.

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        if case .expression(let condition) = node.condition { invert(condition) }
        return .visitChildren
    }

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        invert(node.condition)
        return .visitChildren
    }

    override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
        invert(node.condition)
        return .visitChildren
    }

    override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.text == "!" {
            add("inverted condition", node, instead: text(node.expression))
        }
        return .visitChildren
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let symbol = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
            return .visitChildren
        }
        let left = text(node.leftOperand)
        let right = text(node.rightOperand)
        switch symbol {
        case "<", "<=", ">", ">=":
            let other = symbol.hasSuffix("=") ? String(symbol.dropLast()) : symbol + "="
            add("boundary", node, instead: "\(left) \(other) \(right)")
        case "==", "!=":
            add(
                "inverted condition",
                node,
                instead: "\(left) \(symbol == "==" ? "!=" : "==") \(right)"
            )
        case "&&", "||":
            add(
                "boolean operator",
                node,
                instead: "(\(left) \(symbol == "&&" ? "||" : "&&") \(right))"
            )
        case "+", "-", "&+", "&-":
            let other = symbol.hasSuffix("+") ? symbol.dropLast() + "-" : symbol.dropLast() + "+"
            add("arithmetic", node, instead: "\(left) \(other) \(right)")
        case "<<", ">>", "&<<", "&>>":
            let other =
                symbol.contains("<")
                ? symbol.map { $0 == "<" ? ">" : $0 } : symbol.map { $0 == ">" ? "<" : $0 }
            add("arithmetic", node, instead: "\(left) \(String(other)) \(right)")
        case "..<", "...":
            add(
                "off by one",
                node.rightOperand,
                "(\(right) - (Mutant.on(#) ? 1 : 0))",
                shown: "\(left)\(symbol)\(right) ends one earlier"
            )
        case "??":
            add("dropped case", node, instead: right)
        default:
            break
        }
        return .visitChildren
    }

    // Literals.

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        guard node.parent?.is(PrefixOperatorExprSyntax.self) != true else { return .skipChildren }
        add("off by one", node, instead: "\(text(node)) + 1")
        return .skipChildren
    }

    override func visit(_ node: FloatLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        add("replaced literal", node, instead: "\(text(node)) + 1")
        return .skipChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        add("replaced literal", node, instead: text(node) == "true" ? "false" : "true")
        return .skipChildren
    }

    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        // An interpolation has faults of its own. A literal of several lines stands on lines of its own.
        guard node.representedLiteralValue != nil, node.openingQuote.text == "\"" else {
            return .visitChildren
        }
        // One character stays one: the literal may be a character, and another of the same kind is the smaller fault.
        let value = node.representedLiteralValue ?? ""
        let other: String
        if value.unicodeScalars.count == 1, let scalar = value.unicodeScalars.first {
            other = "\\u{\(String(scalar.value ^ 1, radix: 16))}"
        } else {
            other = value.isEmpty ? "x" : ""
        }
        add("replaced literal", node, instead: "\"\(other)\"")
        return .skipChildren
    }

    override func visit(_ node: ArrayExprSyntax) -> SyntaxVisitorContinueKind {
        let elements = node.elements.map { text($0.expression) }
        guard (2...16).contains(elements.count) else { return .visitChildren }
        for index in elements.indices {
            var rest = elements
            rest.remove(at: index)
            add(
                "dropped case",
                node,
                "(Mutant.on(#) ? [\(rest.joined(separator: ", "))] : \(text(node)))",
                shown: "without \(elements[index])"
            )
        }
        return .visitChildren
    }

    // Statements.

    override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind {
        let cases = node.cases.compactMap { $0.as(SwitchCaseSyntax.self) }
        // Without a default case, the switch needs every case.
        guard cases.contains(where: { $0.label.is(SwitchDefaultLabelSyntax.self) }) else {
            return .visitChildren
        }
        for label in cases.compactMap({ $0.label.as(SwitchCaseLabelSyntax.self) }) {
            for item in label.caseItems where item.whereClause == nil {
                let pattern = text(item.pattern)
                add(
                    "dropped case",
                    item.pattern,
                    "\(pattern) where !Mutant.on(#)",
                    shown: "without case \(pattern)"
                )
            }
        }
        return .visitChildren
    }

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        let isRemovable =
            node.item.as(ExprSyntax.self).map(isStatement) ?? node.item.as(StmtSyntax.self)
            .map(isExit) ?? false
        if isRemovable {
            add(
                "removed statement",
                node.item,
                "if !Mutant.on(#) { \(text(node.item)) }",
                shown: "without \(text(node.item))"
            )
        }
        return .visitChildren
    }

    /// Whether an expression stands for its effect: a call or an assignment.
    private func isStatement(_ expression: ExprSyntax) -> Bool {
        if let attempt = expression.as(TryExprSyntax.self) {
            return isStatement(attempt.expression)
        }
        if let wait = expression.as(AwaitExprSyntax.self) { return isStatement(wait.expression) }
        if let call = expression.as(FunctionCallExprSyntax.self) { return !isUnobservable(call) }
        guard let infix = expression.as(InfixOperatorExprSyntax.self) else { return false }
        return infix.operator.is(AssignmentExprSyntax.self)
            || infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text.hasSuffix("=")
                == true
                && !["==", "!=", "<=", ">=", "==="].contains(text(infix.operator))
    }

    /// Whether a statement leaves its block early.
    private func isExit(_ statement: StmtSyntax) -> Bool {
        statement.is(ContinueStmtSyntax.self) || statement.is(BreakStmtSyntax.self)
            || statement.is(ThrowStmtSyntax.self)
            || statement.as(ReturnStmtSyntax.self).map { $0.expression == nil } ?? false
    }
}

let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
for path in CommandLine.arguments.dropFirst() {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    // An operator without a declaration in the file keeps its place in a sequence, and has no faults.
    let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: text)) { _ in }
    let faults = Faults(file: path, text: text, tree: tree)
    faults.walk(tree)
    for fault in faults.found {
        FileHandle.standardOutput.write(try encoder.encode(fault) + Data("\n".utf8))
    }
}
