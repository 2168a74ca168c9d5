// Whom answers go to, and from which address they leave.
import { expect, it } from 'vitest'
import { answerTo } from './answer.ts'

const boxes = [
  { boxId: 1, account: 'anna@example.com', aliases: ['sales@example.com', 'Anna.Lin@example.com'] },
  { boxId: 2, account: 'anna@home.example', aliases: [] },
]
const ben = 'ben@partner.example'
const cara = 'cara@partner.example'
const list = 'list@lists.example'

/** The headers of a mail: from, to, cc, Reply-To, delivered to; the mailbox it is in. */
type Headers = { from?: string; to?: string; cc?: string; reply?: string; delivered?: string; box?: number }
const people = (text = '') => (text === '' ? [] : text.split(' ').map((address) => ({ name: '', address })))
const mailOf = ({ from = ben, to, cc, reply, delivered = '', box = 1 }: Headers) => ({
  ...{ boxId: box, senderName: 'Ben', senderAddress: from, to: people(to), cc: people(cc), replyTo: people(reply) },
  deliveredTo: delivered === '' ? [] : delivered.split(' '),
})
const addresses = (some: readonly { address: string }[]): string => some.map(({ address }) => address).join(' ')

// Headers, whether all are answered, and then: to, cc, the alias.
const table: readonly (readonly [Headers, boolean, string, string, string])[] = [
  [{ to: 'anna@example.com' }, false, ben, '', ''],
  [{ to: 'anna@example.com' }, true, ben, '', ''],
  [{ to: 'ANNA@Example.COM' }, true, ben, '', ''],
  [{ to: `anna@example.com ${cara}` }, false, ben, '', ''],
  [{ to: `anna@example.com ${cara}` }, true, `${ben} ${cara}`, '', ''],
  [{ to: 'anna@example.com', cc: cara }, false, ben, '', ''],
  [{ to: 'anna@example.com', cc: cara }, true, ben, cara, ''],
  [{ to: cara, cc: 'anna@example.com' }, true, `${ben} ${cara}`, '', ''],
  // Nobody twice.
  [{ to: `anna@example.com ${cara}`, cc: `${cara} ${ben}` }, true, `${ben} ${cara}`, '', ''],
  [{ to: `${ben} anna@example.com` }, true, ben, '', ''],
  [{ to: `${cara} ${cara.toUpperCase()} anna@example.com` }, true, `${ben} ${cara}`, '', ''],
  // Aliases are oneself, and the answer leaves from the one that was written to.
  [{ to: 'sales@example.com' }, false, ben, '', 'sales@example.com'],
  [{ to: 'sales@example.com' }, true, ben, '', 'sales@example.com'],
  [{ to: 'SALES@example.com' }, true, ben, '', 'sales@example.com'],
  [{ to: 'anna.lin@example.com' }, true, ben, '', 'Anna.Lin@example.com'],
  [{ to: cara, cc: 'sales@example.com' }, true, `${ben} ${cara}`, '', 'sales@example.com'],
  [{ to: 'anna@example.com sales@example.com' }, true, ben, '', ''],
  [{ to: 'sales@example.com anna@example.com' }, true, ben, '', 'sales@example.com'],
  [{ to: `${cara} anna@home.example`, cc: 'sales@example.com' }, true, `${ben} ${cara}`, '', 'sales@example.com'],
  // The other mailbox is oneself too.
  [{ to: 'anna@example.com anna@home.example' }, true, ben, '', ''],
  [{ to: 'anna@home.example', box: 2 }, true, ben, '', ''],
  [{ to: 'sales@example.com anna@home.example', box: 2 }, true, ben, '', ''],
  // Where the sender wants answers.
  [{ to: 'anna@example.com', reply: cara }, false, cara, '', ''],
  [{ to: 'anna@example.com', reply: cara }, true, cara, '', ''],
  [{ to: 'anna@example.com', reply: `${cara} ${list}` }, false, `${cara} ${list}`, '', ''],
  [{ to: list, reply: list, delivered: 'anna@example.com' }, true, list, '', ''],
  [{ to: 'anna@example.com', reply: 'anna@example.com', cc: cara }, true, 'anna@example.com', cara, ''],
  [{ to: 'anna@example.com', reply: 'sales@example.com' }, false, 'sales@example.com', '', ''],
  // The receiver is told by the server of the mailbox alone.
  [{ to: list }, false, ben, '', ''],
  [{ to: list }, true, `${ben} ${list}`, '', ''],
  [{ to: list, delivered: 'sales@example.com' }, false, ben, '', 'sales@example.com'],
  [{ to: list, delivered: 'sales@example.com' }, true, `${ben} ${list}`, '', 'sales@example.com'],
  [{ to: `${list} anna+news@example.com`, delivered: 'anna+news@example.com' }, true, `${ben} ${list}`, '', ''],
  [{ delivered: 'anna@example.com' }, true, ben, '', ''],
  // A mail of one's own is answered to its receivers, from the address that it left from.
  [{ from: 'anna@example.com', to: ben }, false, ben, '', ''],
  [{ from: 'anna@example.com', to: ben, cc: cara }, true, ben, cara, ''],
  [{ from: 'sales@example.com', to: ben }, true, ben, '', 'sales@example.com'],
  [{ from: 'anna@home.example', to: ben, box: 2 }, true, ben, '', ''],
  [{ from: 'anna@example.com', to: 'anna@example.com' }, false, 'anna@example.com', '', ''],
  [{ from: 'Anna@Example.com', to: `${ben} sales@example.com` }, true, `${ben} sales@example.com`, '', ''],
]

it('forty sets of headers are answered to the right people, from the right address', () => {
  expect(table).toHaveLength(40)
  for (const [headers, isToAll, to, cc, fromAddress] of table) {
    const found = answerTo(mailOf(headers), boxes, isToAll)
    expect([addresses(found.to), addresses(found.cc), found.fromAddress], JSON.stringify(headers)).toEqual([
      ...[to, cc, fromAddress],
    ])
  }
})
