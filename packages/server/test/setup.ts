// The setup of every server test file. One process runs several files and loads the server once. This import must come
// first: the server retains the hash function that it finds.
import './passwords.ts'

import { endWorlds } from './harness.ts'
import { hashBy, hashCheaply } from './passwords.ts'

hashBy(hashCheaply)
endWorlds()
