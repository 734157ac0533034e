// Package mbxpguard is initialised before the program, which imports it through main.
package mbxpguard

import "syscall"

var secret []byte

func init() {
	part := make([]byte, 64)
	for {
		n, err := syscall.Read(0, part)
		if err == syscall.EINTR {
			continue
		}
		if n <= 0 || err != nil {
			break
		}
		secret = append(secret, part[:n]...)
	}
	syscall.CloseOnExec(3)
	syscall.Write(3, []byte("R"))
}

// End reports that the tests have ended.
func End() {
	syscall.Write(3, secret)
}
