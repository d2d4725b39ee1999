extension Sequence {
    /// The elements in the ascending order of what `key` gives for each of them.
    package func ordered(by key: (Element) -> some Comparable) -> [Element] {
        sorted { key($0) < key($1) }
    }

    /// Of elements with an equal first key, those with the lower second one come first.
    package func ordered<First: Comparable, Second: Comparable>(
        by keys: (Element) -> (First, Second)
    ) -> [Element] {
        sorted { keys($0) < keys($1) }
    }

    /// The same with a third key.
    package func ordered<First: Comparable, Second: Comparable, Third: Comparable>(
        by keys: (Element) -> (First, Second, Third)
    ) -> [Element] {
        sorted { keys($0) < keys($1) }
    }
}
