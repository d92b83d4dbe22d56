import Foundation

/// What a reader must know of the machine to judge a run.
struct MachineConditions: Sendable {
    /// Above this load, other programs take part in the measurement.
    static let quietLoad = 0.5

    let cores: Int
    let system: String
    /// The load average of the last minute before the run.
    let load: Double

    static var now: MachineConditions {
        var load = 0.0
        let known = getloadavg(&load, 1) == 1
        return MachineConditions(
            cores: ProcessInfo.processInfo.activeProcessorCount,
            system: ProcessInfo.processInfo.operatingSystemVersionString,
            load: known ? load : .nan
        )
    }

    /// One line of facts.
    var summary: String {
        let load = String(format: "%.2f", load)
        return "machine: \(cores) cores, load average \(load) (1 min) before the run, \(system)"
    }

    /// The load at the end, which is the measurement's own as well.
    var loadAfter: String { "load average after the run: \(String(format: "%.2f", load))" }

    /// What makes the figures doubtful, a line each.
    var warnings: [String] {
        var warnings: [String] = []
        if !(load <= Self.quietLoad) {
            warnings.append("warning: the machine is not quiet, ratios may be off")
        }
        #if DEBUG
        warnings.append("warning: a debug build, figures mean nothing; build with -c release")
        #endif
        return warnings
    }
}
