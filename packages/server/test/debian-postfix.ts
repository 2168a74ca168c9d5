// Debian's postfix for a test: a mail server of its own, with its configuration in a folder of the test, on a port above
// 1024. It delivers into the mailboxes of a dovecot. Its parent process needs root.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'
import { type Dovecot, reachable } from './mails.ts'

const daemons = '/usr/lib/postfix/sbin'

/** The services of master.cf that receiving and delivering needs: name, type, unprivileged, limit, command. */
const services = (port: number): string =>
  [
    `127.0.0.1:${port} inet n - n - 20 smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    ...['bounce', 'defer', 'trace'].map((name) => `${name} unix - - n - 0 bounce`),
    'verify unix - - n - 1 verify',
    'proxymap unix - - n - - proxymap',
    'smtp unix - - n - - smtp',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'local unix - n n - - local',
    'virtual unix - n n - - virtual',
    'anvil unix - - n - 1 anvil',
    'postlog unix-dgram n - n - 1 postlogd',
  ].join('\n')

/** Starts a postfix that takes mail for these people at `example.com` into their mailboxes. It stops when the test ends. */
export async function startPostfix(dovecot: Dovecot, users: readonly string[]): Promise<{ readonly port: number }> {
  const port = await freePort()
  const root = await mkdtemp(join(tmpdir(), 'cloudoc-postfix-'))
  const [conf, queue, data] = [join(root, 'conf'), join(root, 'queue'), join(root, 'data')]
  // Its processes run as the user of postfix.
  await chmod(root, 0o755)
  const { uid, gid } = await idsOf('postfix')
  const dropGroup = await groupOf('postdrop')
  for (const folder of [conf, queue, data]) await mkdir(folder, { mode: 0o755 })
  await chown(data, uid, gid)
  const own = [
    'active',
    'bounce',
    'corrupt',
    'defer',
    'deferred',
    'flush',
    'hold',
    'incoming',
    'private',
    'saved',
    'trace',
  ]
  for (const name of own) await folderOf(join(queue, name), 0o700, uid, gid)
  await folderOf(join(queue, 'public'), 0o710, uid, dropGroup)
  await folderOf(join(queue, 'maildrop'), 0o730, uid, dropGroup)
  await folderOf(join(queue, 'pid'), 0o755, 0, 0)
  const base = dirname(dirname(dovecot.mailOf('x')))
  await writeFile(join(conf, 'mailboxes'), users.map((user) => `${user}@example.com ${user}/Maildir/\n`).join(''))
  await writeFile(
    join(conf, 'main.cf'),
    `compatibility_level = 3.6
queue_directory = ${queue}
data_directory = ${data}
daemon_directory = ${daemons}
command_directory = /usr/sbin
mail_owner = postfix
setgid_group = postdrop
myhostname = mx.example.com
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mydestination =
mynetworks = 127.0.0.0/8
alias_maps =
local_recipient_maps =
smtpd_relay_restrictions = permit_mynetworks, reject
virtual_mailbox_domains = example.com
virtual_mailbox_base = ${base}
virtual_mailbox_maps = texthash:${join(conf, 'mailboxes')}
virtual_uid_maps = static:8
virtual_gid_maps = static:8
virtual_minimum_uid = 1
message_size_limit = 31457280
mailbox_size_limit = 0
virtual_mailbox_limit = 0
maillog_file = /dev/stdout
maillog_file_prefixes = /dev
`,
  )
  await writeFile(join(conf, 'master.cf'), `${services(port)}\n`)
  const child = spawn('/usr/sbin/postfix', ['-c', conf, 'start-fg'], {
    stdio: 'ignore',
    env: { PATH: '/usr/sbin:/usr/bin' },
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    await once(spawn('/usr/sbin/postfix', ['-c', conf, 'stop'], { stdio: 'ignore' }), 'exit')
    await exited
    await rm(root, { recursive: true, force: true })
  })
  await reachable(port)
  return { port }
}

async function folderOf(path: string, mode: number, uid: number, gid: number): Promise<void> {
  await mkdir(path)
  await chmod(path, mode)
  await chown(path, uid, gid)
}

/** The fields of a system user, or of a group, behind its name. */
async function fieldsOf(file: string, name: string): Promise<string[]> {
  const line = (await readFile(file, 'utf8')).split('\n').find((one) => one.startsWith(`${name}:`))
  if (line === undefined) throw new Error(`this test needs ${name}: npm test installs postfix`)
  return line.split(':')
}

async function idsOf(user: string): Promise<{ uid: number; gid: number }> {
  const [, , uid, gid] = await fieldsOf('/etc/passwd', user)
  return { uid: Number(uid), gid: Number(gid) }
}

const groupOf = async (group: string): Promise<number> => Number((await fieldsOf('/etc/group', group))[2])
