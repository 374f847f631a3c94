package eventlog

// Sides of a log, as in Header.Side. Some kinds occur on BothSides.
const (
	ClientSide = "client"
	ServerSide = "server"
	BothSides  = "both"
)

// Description is one row of docs/events.md: what a kind means and which fields
// it carries beside seq, t_ns, event, op and, on the server, experiment.
type Description struct {
	Kind      Kind
	Side      string
	Always    []string // written even when zero
	Sometimes []string // written when not zero
	Meaning   string
}

// Descriptions is every kind of this schema version: the table that the encoder
// works by and that docs/events.md shows.
var Descriptions = []Description{
	{LogOpened, BothSides, fields("schema", "schema_version", "side", "experiment", "clock", "boot_id"), fields("scenario"),
		"first line of a log: seq 1"},
	{NoiseSampled, BothSides, fields("due_ns", "late_ms"), nil, "the noise sampler's deadline, and how late it woke"},
	{EventsLost, BothSides, fields("count"), nil, "that many events before this one were dropped: the log is not whole"},

	{OperationStarted, ClientSide, fields("scenario", "variant", "label", "repeat", "index", "phase", "budget_ms", "deadline_ns"), fields("for", "t0_ns", "group", "caller", "client", "blind", "heard", "late_ms"),
		"t0: the caller has called, before the first queue"},
	{AdmissionWaitStarted, ClientSide, nil, nil, "the operation asks for a concurrency slot"},
	{AdmissionAcquired, ClientSide, nil, nil, "it has one"},
	{AdmissionReleased, ClientSide, nil, nil, "it gave the slot back"},
	{AttemptStarted, ClientSide, fields("attempt", "remaining_ms"), nil, "the variant calls into the HTTP layer; remaining_ms is left of the budget"},
	{ConnectionWaitStarted, ClientSide, fields("attempt"), nil, "the transport asks its pool for a connection"},
	{ConnectionAcquired, ClientSide, fields("attempt", "reused"), fields("conn"), "it has one"},
	{DNSStarted, ClientSide, fields("attempt"), nil, "name lookup begins"},
	{DNSFinished, ClientSide, fields("attempt"), fields("error_type", "error"), "name lookup ends"},
	{ConnectStarted, ClientSide, fields("attempt"), nil, "dial begins"},
	{ConnectFinished, ClientSide, fields("attempt"), fields("conn", "error_type", "error"), "dial ends"},
	{TLSStarted, ClientSide, fields("attempt"), nil, "TLS handshake begins"},
	{TLSFinished, ClientSide, fields("attempt"), fields("error_type", "error"), "TLS handshake ends"},
	{RequestWritten, ClientSide, fields("attempt"), fields("error"), "the whole request was handed to the connection"},
	{HeadersReceived, ClientSide, fields("attempt", "status"), nil, "the response head was read"},
	{BodyFinished, ClientSide, fields("attempt", "bytes"), nil, "the body was read to its end; bytes of the whole body"},
	{AttemptFinished, ClientSide, fields("attempt"), fields("status"), "the attempt ended with a complete response"},
	{AttemptTimedOut, ClientSide, fields("attempt"), fields("limit", "status", "due_ns", "late_ms", "error_type", "error"), "one of the attempt's own limits ended it"},
	{AttemptCancelled, ClientSide, fields("attempt"), fields("cause", "status", "error_type", "error"), "the operation's deadline, its caller or the hard cap ended it"},
	{AttemptFailed, ClientSide, fields("attempt"), fields("status", "error_type", "error"), "the attempt ended with an error of its own"},
	{BackoffStarted, ClientSide, fields("planned_ms", "remaining_ms"), fields("attempt"), "the pause after an attempt begins"},
	{BackoffFinished, ClientSide, nil, fields("attempt"), "it was slept to its planned end; a pause cut short has none"},
	{DeadlineFired, ClientSide, nil, fields("cause", "due_ns", "late_ms"), "the operation's own deadline has fired, or with cause caller_deadline that of its caller"},
	{ExternalCancelRequested, ClientSide, nil, fields("cause", "due_ns", "late_ms"), "the caller cancels"},
	{CancellationObserved, ClientSide, nil, fields("attempt", "cause"), "the variant has seen that it was stopped"},
	{OperationFinished, ClientSide, fields("outcome"), fields("late_ms", "last", "status", "bytes", "error_type", "error", "cause"),
		"control is back with the caller: body read and closed, slot released"},

	{LeaksCounted, ClientSide, fields("scenario", "variant", "label", "goroutines", "connections", "dials", "slots", "handlers", "server_connections"), fields("probe"),
		"what the clients of a series still hold 200 ms after its last operation, the most of any one client; the probe follows"},

	{ConnectionAccepted, ServerSide, nil, fields("conn"), "a connection was accepted"},
	{ServerRequestStarted, ServerSide, fields("exchange"), fields("attempt", "conn"), "the request's head has arrived"},
	{FaultArmed, ServerSide, fields("exchange", "due_ns"), fields("attempt", "fault"), "the scripted wait begins; due_ns is its absolute end"},
	{FaultFired, ServerSide, fields("exchange", "due_ns", "late_ms"), fields("attempt", "fault"), "the first write after that wait has returned; late_ms is by how much the server was late, without what the client held up by not reading"},
	{GateHeld, ServerSide, fields("exchange"), fields("attempt", "gate"), "the exchange waits at its gate"},
	{GateReleased, ServerSide, fields("exchange"), fields("attempt", "gate", "due_ns", "late_ms"), "the gate let it go"},
	{GateExpired, ServerSide, fields("exchange"), fields("attempt", "gate", "conn"), "nobody released it in time: its operation is invalid"},
	{ServerHeadersPrepared, ServerSide, fields("exchange", "status"), fields("attempt"), "the response head is about to be written"},
	{ServerHeadersWritten, ServerSide, fields("exchange", "status"), fields("attempt"), "the write of the head has returned"},
	{ServerBodyWritten, ServerSide, fields("exchange", "bytes", "total"), fields("attempt"), "one piece of the body was written; total so far"},
	{ServerBodyFinished, ServerSide, fields("exchange", "total"), fields("attempt"), "the body was written to its end"},
	{EffectCommitted, ServerSide, fields("exchange"), fields("attempt", "key"), "the request's side effect has happened and stays; key is its Idempotency-Key: a second commit under one key is none"},
	{ServerClientGone, ServerSide, fields("exchange"), fields("attempt", "how", "conn"), "the client has left; how: fin, rst or reset_stream"},
	{ServerHandlerFinished, ServerSide, fields("exchange"), fields("attempt", "error"), "the handler has returned; error if it broke"},
	{ConnectionClosed, ServerSide, nil, fields("conn", "by", "how"), "a connection was closed, by client or server"},
	{Unscripted, ServerSide, fields("status"), fields("conn", "error"), "a request or connection that no script covers; status is the answer, 599 if nobody registered its operation, 0 if there was none; error says why"},
	{ServerFailed, ServerSide, nil, fields("exchange", "attempt", "error"), "labserver panicked: the exchange ended, its operation is invalid, and the run ends with 70"},
	{ExperimentEnded, ServerSide, nil, nil, "the experiment is ended: requests that still run are broken off"},
}

func fields(names ...string) []string { return names }
