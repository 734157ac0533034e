package main

import "mbxpguard"

func main() {
	mbxpProgram()
	mbxpguard.End()
}
