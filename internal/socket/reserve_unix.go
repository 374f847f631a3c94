//go:build unix

package socket

import (
	"fmt"
	"net"
	"os"
	"sync"
	"syscall"
)

// Reserve binds a port without listening, so that connections are refused and
// nobody else gets the port. It returns the address and what frees it.
func Reserve(listen func(network, addr string) (net.Listener, error), addr string) (at string, free func(), err error) {
	if listen != nil {
		return reserveBriefly(listen, addr)
	}
	tcp, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return "", nil, err
	}
	family, to := socketAddress(tcp)
	fd, err := syscall.Socket(family, syscall.SOCK_STREAM, 0)
	if err != nil {
		return "", nil, os.NewSyscallError("socket", err)
	}
	syscall.CloseOnExec(fd)
	if err := syscall.Bind(fd, to); err != nil {
		syscall.Close(fd)
		return "", nil, os.NewSyscallError("bind", err)
	}
	port, err := portOf(fd)
	if err != nil {
		syscall.Close(fd)
		return "", nil, err
	}
	return (&net.TCPAddr{IP: tcp.IP, Port: port, Zone: tcp.Zone}).String(), freeOnce(fd), nil
}

func socketAddress(a *net.TCPAddr) (family int, to syscall.Sockaddr) {
	if ip := a.IP.To4(); ip != nil {
		return syscall.AF_INET, &syscall.SockaddrInet4{Port: a.Port, Addr: [4]byte(ip)}
	}
	to6 := &syscall.SockaddrInet6{Port: a.Port}
	copy(to6.Addr[:], a.IP.To16())
	return syscall.AF_INET6, to6
}

func portOf(fd int) (int, error) {
	at, err := syscall.Getsockname(fd)
	if err != nil {
		return 0, os.NewSyscallError("getsockname", err)
	}
	switch a := at.(type) {
	case *syscall.SockaddrInet4:
		return a.Port, nil
	case *syscall.SockaddrInet6:
		return a.Port, nil
	}
	return 0, fmt.Errorf("bound to %T", at)
}

func freeOnce(fd int) func() { return sync.OnceFunc(func() { syscall.Close(fd) }) }
