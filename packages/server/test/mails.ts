// Mails for tests: a stored one without a server, and a mail server for real (Debian's dovecot), which a test starts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import type { Db } from '../src/core/db/database.ts'
import { certificate } from './certificate.ts'
import { freePort } from './free-port.ts'

/** Stores a mail in the inbox of a mailbox, as a fetch would. Returns its id. */
export async function storedMail(
  db: Db,
  accountId: number,
  boxId: number,
  mail: { readonly subject?: string; readonly key?: string } = {},
): Promise<number> {
  const { subject = '样例邮件', key = '1' } = mail
  const blob = await sql<{ id: number }>`select id from blob order by id limit 1`.execute(db)
  const folder = await sql<{ id: number }>`
    insert into mail_folder (mailbox_id, path, name, role, uid_validity) values (${boxId}, 'INBOX', 'INBOX', 'inbox', '1')
    on conflict (mailbox_id, path) do update set name = excluded.name returning id`.execute(db)
  const made = await sql<{ id: number }>`
    insert into mail (account_id, mailbox_id, folder_id, remote_key, blob_id, message_id, thread, refs, from_name,
      from_address, people, subject, sent_at, received_at, size, is_read, is_starred, is_answered, attachments, summary,
      words, search_text, problem)
    values (${accountId}, ${boxId}, ${folder.rows[0]?.id}, ${key}, ${blob.rows[0]?.id}, ${`${key}@example.com`},
      ${`${key}@example.com`}, '[]', 'Ben', 'ben@example.com', '{"to":[],"cc":[],"bcc":[],"replyTo":[]}', ${subject}, 0,
      ${Number(key)}, 10, false, false, false, '[]', '', '{}', '', '')
    returning id`.execute(db)
  return made.rows[0]?.id ?? 0
}

/** A running dovecot with IMAP and POP3 on free ports, and mailboxes in a folder. */
export interface Dovecot {
  readonly imapPort: number
  readonly popPort: number
  /** Delivers a message into a folder of a person, as a mail server would. */
  deliver(user: string, message: string | Buffer, folder?: string): Promise<void>
  /** Puts many messages into the inbox of a person at once. */
  fill(user: string, count: number, message: (n: number) => string): Promise<void>
  /** The folder with the maildir of a person. */
  readonly mailOf: (user: string) => string
  stop(): Promise<void>
  start(): Promise<void>
}

export interface DovecotOptions {
  /** People sign in with tokens (XOAUTH2); whose they are is asked at this address. Connections are TLS. */
  readonly tokensOf?: string
}

const passwords = '{PLAIN}secret'

/** Starts dovecot for these people; each has the password `secret`. It stops when the test ends. */
export async function startDovecot(users: readonly string[], more: DovecotOptions = {}): Promise<Dovecot> {
  const root = await mkdtemp(join(tmpdir(), 'cloudoc-dovecot-'))
  const [imapPort, popPort] = [await freePort(), await freePort()]
  const { username, uid, gid } = userInfo()
  await mkdir(join(root, 'run'), { recursive: true })
  await chmod(root, 0o755)
  // Mail processes may not run as root, so they run as the mail user of Debian.
  const owner = uid === 0 ? { user: 'mail', ids: ['8', '8'] } : { user: username, ids: [String(uid), String(gid)] }
  await writeFile(
    join(root, 'passwd'),
    users.map((user) => `${user}:${passwords}:${owner.ids.join(':')}::${join(root, 'mail', user)}::`).join('\n'),
  )
  if (more.tokensOf !== undefined) {
    await writeFile(join(root, 'cert.pem'), certificate.cert)
    await writeFile(join(root, 'key.pem'), certificate.key)
    await writeFile(
      join(root, 'oauth2.conf'),
      `introspection_mode = auth\nintrospection_url = ${more.tokensOf}\nusername_attribute = email\n`,
    )
  }
  await writeFile(
    join(root, 'dovecot.conf'),
    `protocols = imap pop3
base_dir = ${join(root, 'run')}
log_path = ${join(root, 'log')}
${more.tokensOf === undefined ? 'ssl = no' : `ssl = required\nssl_cert = <${join(root, 'cert.pem')}\nssl_key = <${join(root, 'key.pem')}`}
disable_plaintext_auth = no
default_internal_user = ${owner.user}
default_login_user = ${owner.user}
default_internal_group = ${uid === 0 ? 'mail' : owner.user}
first_valid_uid = 1
mail_location = maildir:${join(root, 'mail')}/%n/Maildir
mail_max_userip_connections = 50
mail_plugins = quota
protocol imap {
  mail_plugins = quota imap_quota
}
plugin {
  quota = count:User quota
  quota_vsizes = yes
  quota_rule = *:storage=10M
}
auth_mechanisms = plain login ${more.tokensOf === undefined ? '' : 'xoauth2'}
auth_failure_delay = 0
passdb {
  driver = passwd-file
  args = ${join(root, 'passwd')}
}
${more.tokensOf === undefined ? '' : `passdb {\n  driver = oauth2\n  mechanisms = xoauth2\n  args = ${join(root, 'oauth2.conf')}\n}`}
userdb {
  driver = passwd-file
  args = username_format=%n ${join(root, 'passwd')}
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    special_use = \\Sent
    auto = create
  }
  mailbox Trash {
    special_use = \\Trash
    auto = create
  }
  mailbox 合同往来 {
    auto = create
  }
}
service imap-login {
  chroot =
  inet_listener imap {
    address = 127.0.0.1
    port = ${more.tokensOf === undefined ? imapPort : 0}
  }
  inet_listener imaps {
    address = 127.0.0.1
    ssl = yes
    port = ${more.tokensOf === undefined ? 0 : imapPort}
  }
}
service pop3-login {
  chroot =
  inet_listener pop3 {
    address = 127.0.0.1
    port = ${popPort}
  }
  inet_listener pop3s {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`,
  )
  const mailOf = (user: string): string => join(root, 'mail', user, 'Maildir')
  for (const user of users) {
    for (const part of ['cur', 'new', 'tmp']) await mkdir(join(mailOf(user), part), { recursive: true })
  }
  await own(join(root, 'mail'), owner.ids)
  let child: ReturnType<typeof spawn> | undefined
  let delivered = 0
  const dovecot: Dovecot = {
    imapPort,
    popPort,
    mailOf,
    async deliver(user, message, folder = '') {
      const box = folder === '' ? mailOf(user) : join(mailOf(user), `.${folder}`)
      delivered += 1
      const name = `${1_700_000_000 + delivered}.M${delivered}P${process.pid}.test`
      await writeFile(join(box, 'new', name), message)
      await own(join(box, 'new', name), owner.ids)
    },
    async fill(user, count, message) {
      const box = join(mailOf(user), 'cur')
      const together = 500
      for (let from = 0; from < count; from += together)
        await Promise.all(
          Array.from({ length: Math.min(together, count - from) }, (_, n) =>
            writeFile(join(box, `${1_600_000_000 + from + n}.M${from + n}P${process.pid}.test:2,`), message(from + n)),
          ),
        )
      await own(box, owner.ids)
    },
    async start() {
      child = spawn('/usr/sbin/dovecot', ['-F', '-c', join(root, 'dovecot.conf')], { stdio: 'ignore' })
      await reachable(imapPort)
    },
    async stop() {
      if (child === undefined || child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
  onTestFinished(async () => {
    await dovecot.stop()
    await rm(root, { recursive: true, force: true })
  })
  await dovecot.start()
  return dovecot
}

async function own(path: string, [user = '', group = '']: readonly string[]): Promise<void> {
  if (userInfo().uid !== 0) return
  const child = spawn('chown', ['-R', `${user}:${group}`, path])
  await once(child, 'exit')
}

/** Resolves when something listens on the port. */
export async function reachable(port: number): Promise<void> {
  for (let left = 100; ; left--) {
    const socket = createConnection(port, '127.0.0.1')
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isOpen) return
    if (left === 0) throw new Error('the mail server does not start')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** A plain mail. */
export function mailText(subject: string, body = '正文', more: Readonly<Record<string, string>> = {}): string {
  const headers = {
    From: '钱磊 <qianlei@partner.example>',
    To: 'anna@example.com',
    Subject: subject,
    Date: 'Fri, 20 Nov 2026 10:21:00 +0800',
    'Message-ID': `<${subject.replaceAll(/\W/g, '')}-${Math.random().toString(36).slice(2)}@partner.example>`,
    'Content-Type': 'text/plain; charset=utf-8',
    ...more,
  }
  return `${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\r\n')}\r\n\r\n${body}\r\n`
}
