//! Lines out of chunks: a text that comes in pieces of any size, cut at its line ends. Keeps no more than one line.

/// A line is longer than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLong {
    /// Which one, from 1.
    pub(crate) line: u64,
}

/// What was fed so far and is no whole line yet.
#[derive(Debug)]
pub(crate) struct Lines {
    kept: Vec<u8>,
    line_most: usize,
    /// The line that is being gathered, from 1.
    line: u64,
}

impl Lines {
    pub(crate) fn new(line_most: usize) -> Self {
        Self { kept: Vec::new(), line_most, line: 1 }
    }

    /// The whole lines in this chunk and what was kept before it, each with its number, without line ends.
    pub(crate) fn feed<E: From<TooLong>>(
        &mut self,
        chunk: &[u8],
        mut each: impl FnMut(u64, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rest = chunk;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, after) = (&rest[..end], &rest[end + 1..]);
            if self.kept.is_empty() {
                self.check(line.len())?;
                each(self.line, trimmed(line))?;
            } else {
                self.keep(line)?;
                each(self.line, trimmed(&self.kept))?;
                self.kept.clear();
            }
            self.line += 1;
            rest = after;
        }
        self.keep(rest)?;
        Ok(())
    }

    /// The last line, if it has no end.
    pub(crate) fn finish(&mut self) -> Option<(u64, Vec<u8>)> {
        let line = std::mem::take(&mut self.kept);
        (!line.is_empty()).then(|| (self.line, trimmed(&line).to_vec()))
    }

    fn keep(&mut self, part: &[u8]) -> Result<(), TooLong> {
        self.check(self.kept.len() + part.len())?;
        self.kept.extend_from_slice(part);
        Ok(())
    }

    fn check(&self, length: usize) -> Result<(), TooLong> {
        if length > self.line_most { Err(TooLong { line: self.line }) } else { Ok(()) }
    }
}

fn trimmed(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &[u8], size: usize, line_most: usize) -> Result<Vec<(u64, Vec<u8>)>, TooLong> {
        let mut lines = Lines::new(line_most);
        let mut all = Vec::new();
        for chunk in text.chunks(size) {
            lines.feed(chunk, |number, line| {
                all.push((number, line.to_vec()));
                Ok::<(), TooLong>(())
            })?;
        }
        all.extend(lines.finish());
        Ok(all)
    }

    proptest! {
        #[test]
        fn chunks_of_any_size_give_the_same_lines(text in "[ab\r\n]{0,40}", size in 1_usize..9) {
            let expected: Vec<(u64, Vec<u8>)> =
                (1..).zip(text.lines().map(|line| line.as_bytes().to_vec())).collect();
            let mut got = cut(text.as_bytes(), size, 100).unwrap();
            // A carriage return at the very end is no line end to `str::lines`.
            if text.ends_with('\r') && let Some((_, last)) = got.last_mut() {
                last.push(b'\r');
            }
            prop_assert_eq!(got, expected);
        }
    }

    #[test]
    fn a_line_can_be_too_long_in_one_piece_or_many() {
        for size in [1, 3, 100] {
            assert_eq!(cut(b"ab\nabcdef\n", size, 5), Err(TooLong { line: 2 }));
            assert!(cut(b"ab\nabcde\n", size, 5).is_ok());
        }
    }
}
