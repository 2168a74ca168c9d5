// A process that sends due reminders of urges until it is killed: it prints each one and stops inside the transaction of
// the last that it is told to send.

import { remindUrges } from '../src/approvals/urging/feature.ts'
import { openDatabase } from '../src/core/db/database.ts'
import type { DatabaseTarget } from '../src/core/db/target.ts'

const [target = '{}', at = '0', last = '1', most = '50'] = process.argv.slice(2)
const { db } = openDatabase(JSON.parse(target) as DatabaseTarget)
let sent = 0
const pause = (): Promise<void> => {
  sent += 1
  process.stdout.write(`reminded ${sent}\n`)
  return sent < Number(last) ? Promise.resolve() : new Promise(() => {})
}
while ((await remindUrges({ db, pause }, Number(at), Number(most))) > 0);
