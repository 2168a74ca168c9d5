// The mailbox of the demo: mails that a POP3 server, which exists while the demo is loaded, hands over as any other one
// would. Afterwards the mailbox names a server that nobody reaches and is not fetched.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { demoPassword } from './company.ts'
import type { Calling } from './load.ts'

interface DemoMail {
  readonly from: string
  readonly subject: string
  readonly body: string
  readonly isHtml?: boolean
  readonly hoursAgo: number
  readonly attachment?: { readonly name: string; readonly text: string }
}

const mails: readonly DemoMail[] = [
  {
    ...{ from: '钱磊 <qianlei@dongjiang.example>', subject: '渠道协议第二稿，请过目', hoursAgo: 2 },
    body: '林夏，你好：\n\n第二稿见附件，付款节点改成了三次，其余条款没有变。方便的话周四前回复。\n\n钱磊',
    attachment: { name: '渠道协议-第二稿.txt', text: '第一条 合作范围\n第二条 付款：签约 30%，验收 50%，质保 20%\n' },
  },
  {
    ...{ from: '行政服务台 <office@huaxin.example>', subject: '本周五下午机房检修', hoursAgo: 5 },
    body: '<h2>机房检修</h2><p>本周五 <b>18:00–20:00</b> 检修空调，期间文档库只读。</p><ul><li>请提前保存</li><li>有问题请联系行政服务台</li></ul>',
    isHtml: true,
  },
  {
    ...{ from: 'Anna Weber <anna.weber@nordwind.example>', subject: 'Agenda for our call on Thursday', hoursAgo: 20 },
    body: 'Dear Xia,\n\nplease find my proposal for the agenda below.\n\n1. Status of the pilot\n2. Price list 2027\n3. Next steps\n\nBest regards\nAnna',
  },
  {
    ...{ from: '周敏 <zhoumin@dongjiang.example>', subject: '关于采购合同的签署', hoursAgo: 26 },
    body: '林夏，合同已收到签署邮件，我今天签好。发票请按新的抬头开。\n\n周敏',
  },
  {
    ...{ from: '陈晓 <chenxiao@huaxin.example>', subject: '三季度费用汇总', hoursAgo: 50 },
    body: '口径和上季度一致，含税。附件是明细，研发差旅还差两张单子。',
    attachment: { name: '三季度费用.csv', text: '部门,金额\n市场中心,128000\n研发中心,245300\n' },
  },
]

function source(
  { from, subject, body, isHtml = false, hoursAgo, attachment }: DemoMail,
  n: number,
  now: number,
): string {
  const encoded = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
  const base64 = (text: string): string => Buffer.from(text).toString('base64').replaceAll(/.{76}/g, '$&\r\n')
  const [, name = '', address = ''] = /^(.*) <(.*)>$/.exec(from) ?? []
  const text = [
    `Content-Type: text/${isHtml ? 'html' : 'plain'}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    base64(body),
  ]
  const head = [
    ...[`From: ${encoded(name)} <${address}>`, `To: ${encoded('林夏')} <linxia@huaxin.example>`],
    ...[`Subject: ${encoded(subject)}`, `Date: ${new Date(now - hoursAgo * 3_600_000).toUTCString()}`],
    ...[`Message-ID: <demo-${n}@huaxin.example>`, 'MIME-Version: 1.0'],
  ]
  if (attachment === undefined) return [...head, ...text, ''].join('\r\n')
  return [
    ...[...head, 'Content-Type: multipart/mixed; boundary=demo', '', '--demo', ...text, '--demo'],
    ...[`Content-Type: text/plain; charset=utf-8; name="${encoded(attachment.name)}"`],
    ...['Content-Disposition: attachment', 'Content-Transfer-Encoding: base64', '', base64(attachment.text)],
    ...['--demo--', ''],
  ].join('\r\n')
}

/** A POP3 server (RFC 1939) that hands these mails to whoever signs in. */
async function servePop(sources: readonly string[]) {
  const server = createServer((socket) => {
    const say = (...lines: readonly string[]): void => void socket.write(`${lines.join('\r\n')}\r\n`)
    const list = (of: (one: string, n: number) => string): void =>
      say('+OK', ...sources.map((one, n) => `${n + 1} ${of(one, n)}`), '.')
    socket.on('error', () => {})
    say('+OK ready')
    let rest = ''
    socket.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const [command = '', argument = ''] = line.split(' ')
        const asked = sources[Number(argument) - 1]
        const answers: Record<string, () => void> = {
          LIST: () => list((one) => String(Buffer.byteLength(one))),
          UIDL: () => list((_one, n) => `demo-${n}`),
          RETR: () => (asked === undefined ? say('-ERR') : say('+OK', asked.replaceAll(/^\./gm, '..'), '.')),
          STAT: () => say(`+OK ${sources.length} ${sources.reduce((sum, one) => sum + Buffer.byteLength(one), 0)}`),
          QUIT: () => {
            say('+OK')
            socket.end()
          },
        }
        ;(answers[command.toUpperCase()] ?? (() => say('+OK')))()
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

const mostMs = 30_000
const stepMs = 100

/** Sets up the mailbox of a person, with some mails. */
export async function bringMails({
  as,
  now,
}: {
  readonly as: (account: string) => Calling
  readonly now: number
}): Promise<void> {
  const [admin, lin] = [as('admin'), as('linxia')]
  const server = await servePop(mails.map((mail, n) => source(mail, n, now)))
  const box = {
    ...{ account: 'linxia@huaxin.example', loginName: 'linxia', password: demoPassword, senderName: '林夏' },
    ...{ mailProtocol: 'pop3' as const, imapAddress: '', smtpAddress: 'smtp.huaxin.example', ssl: false, fetch: false },
  }
  await admin('setServerSetting', { mailbox_local_hosts: ['127.0.0.1'] })
  try {
    const at = { popAddress: '127.0.0.1', popPort: server.port }
    const { boxId } = await lin('createMailbox', { ...box, ...at })
    await lin('fetchMail', { boxId })
    let left = mostMs / stepMs
    while ((await lin('getMailbox', { boxId })).isFetching && left > 0) {
      left -= 1
      await delay(stepMs)
    }
    const { list } = await lin('getMailList', { boxId })
    const read = list.filter(({ mailTitle }) => /汇总|Agenda/.test(mailTitle)).map(({ mailId }) => mailId)
    if (read.length > 0) await lin('markMails', { mailIdArray: read, isRead: true })
    await lin('updateMailbox', { boxId, ...box, popAddress: 'pop.huaxin.example', popPort: 110 })
    await lin('createMailDraft', {
      ...{ boxId, subject: '回复：渠道协议第二稿', text: '钱磊，你好：付款节点没有问题，第四条请再看一下。' },
      to: [{ name: '钱磊', address: 'qianlei@dongjiang.example' }],
    })
  } finally {
    server.close()
    await admin('setServerSetting', { mailbox_local_hosts: [] })
  }
}
