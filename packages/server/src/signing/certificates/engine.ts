// The cryptography of Node for pkijs.
import { webcrypto } from 'node:crypto'
import * as pki from 'pkijs'

export const crypto = new pki.CryptoEngine({ name: 'node', crypto: webcrypto }) as pki.CryptoEngine & pki.ICryptoEngine
