// The documented figures of the channel, the ports and the stores, and those of files ([R391], [R392]). Most are proven
// where they are used; here a change of one of them is noticed.
import { expect, test } from 'vitest'
import { controlPorts } from './control-program.ts'
import { ClientType, limits } from './limits.ts'

// [R392] The figures of the channel, of redirects, of the ports on the computer and of the stores in the browser.
test('[R392] the figures of the channel, the ports and the stores are the documented ones', () => {
  expect(limits).toMatchObject({
    ...{ heartbeatMs: 30_000, reconnectFirstMs: 10_000, reconnectLongestMs: 30_000, reconnectLooks: 10 },
    ...{ confirmBatch: 100, confirmDebounceMs: 5000, otherLoginDelayMs: 1000, redirectDelayMs: 3000 },
    ...{ localDatabaseVersion: 85, fileChanges: 100, unreadFileChanges: 10, editRecords: 1000, transferRecords: 3000 },
    ...{ savedLogins: 30, savedLoginMs: 2_592_000_000 },
  })
  expect(controlPorts).toEqual({ device: 37_219, edit: 12_345 })
})

// [R391] The figures of transfers, edits, remarks, link files and client types.
test('[R391] the figures of transfers, edits, link files and client types are the documented ones', () => {
  expect(limits).toMatchObject({
    ...{ progressComplete: 1000, duplicateNames: 100, editRefreshMs: 15_000, longestComment: 1000 },
    cloudLinkMs: 20_000,
  })
  expect(ClientType).toMatchObject({ web: 6, editLock: 64, qrCode: 1 })
})
