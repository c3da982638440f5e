"""Whether what the analysis says comes true: played, predicted, corrected, checked."""
