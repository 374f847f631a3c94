package report

// What is said of a series whose client cannot be measured in its scenario.
const ()
