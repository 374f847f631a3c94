package scenario

// Client is a client of a plan that runs in a process of its own: what it is,
// as the run found it.
type Client struct {
	Name         string          `yaml:"name"`                   // the cells' variant
	Kind         string          `yaml:"kind"`                   // exec: one process per operation; adapter: a long-running one
	Command      []string        `yaml:"command"`                // program and arguments, placeholders unreplaced
	Manifest     string          `yaml:"manifest,omitempty"`     // file that names it, as it was given; empty = named by its command
	Program      string          `yaml:"program,omitempty"`      // library or program under test
	Version      string          `yaml:"version,omitempty"`      // its version
	Language     string          `yaml:"language,omitempty"`     // language and runtime
	Settings     []ClientSetting `yaml:"settings,omitempty"`     // how it is set up, by name
	Capabilities []string        `yaml:"capabilities,omitempty"` // what it can be asked for
	Clock        string          `yaml:"clock,omitempty"`        // adapter: monotonic or none
	Outcomes     []ExitOutcome   `yaml:"outcomes,omitempty"`     // exec: what its exit statuses mean
}

// ClientSetting is one setting of a client.
type ClientSetting struct {
	Name  string `yaml:"name"`
	Value string `yaml:"value"`
}

// ExitOutcome says what an exit status means.
type ExitOutcome struct {
	Status  int    `yaml:"status"`
	Outcome string `yaml:"outcome"`
}
