import MoonPresentation
import MoonPresentationTesting

extension Canvas {
    /// Compares the frame with the picture of a sample, in `Frames` and in the documentation.
    ///
    /// - Parameters:
    ///   - sample: The name of the sample.
    ///   - title: The content of the picture, for readers who cannot see it.
    func compare(toPictureOf sample: String, _ title: String) throws {
        try compare(to: sample)
        try compareSVG(at: "../../Documentation/Samples/\(sample).svg", title: title)
    }
}
