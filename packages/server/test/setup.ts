// What every test file of the server begins with; several are run by one process, which loads the server once.

// First of all: the server keeps the function to hash with that it finds.
import './passwords.ts'

import { endWorlds } from './harness.ts'
import { hashBy, hashCheaply } from './passwords.ts'

hashBy(hashCheaply)
endWorlds()
