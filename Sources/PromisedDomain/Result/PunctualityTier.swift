/// How punctual somebody is, in words: half-open bands of the percentage p (domain §2). Deeper means later.
///
/// ```
///      newcomer  inner-core  outer-core  lower-mantle  upper-mantle  crust     surface   troposphere  stratosphere
/// p:   none      0           (0, 30]     (30, 50]      (50, 70]      (70, 80]  (80, 90]  (90, 95]     (95, 100]
/// ```
/// The raw value is the stable identifier that clients name.
public enum PunctualityTier: String, Hashable, Sendable, CaseIterable {
    /// Nothing counted yet.
    case newcomer
    /// Never in time.
    case innerCore = "inner-core"
    /// Up to 30 %.
    case outerCore = "outer-core"
    /// Above 30 %, up to 50 %.
    case lowerMantle = "lower-mantle"
    /// Above 50 %, up to 70 %.
    case upperMantle = "upper-mantle"
    /// Above 70 %, up to 80 %.
    case crust
    /// Above 80 %, up to 90 %.
    case surface
    /// Above 90 %, up to 95 %.
    case troposphere
    /// Above 95 %.
    case stratosphere

    /// The tier of a percentage from 0 to 100; nil: nothing counted. What lies beyond belongs to the nearest band.
    public init(percent: Double?) {
        guard let percent else {
            self = .newcomer
            return
        }
        // Each case begins where the one before ends, so no value can fall between two.
        switch percent {
        case ...0: self = .innerCore
        case ...30: self = .outerCore
        case ...50: self = .lowerMantle
        case ...70: self = .upperMantle
        case ...80: self = .crust
        case ...90: self = .surface
        case ...95: self = .troposphere
        default: self = .stratosphere
        }
    }
}
