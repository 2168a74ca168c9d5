// nginx as a baseline: the same bytes from files, without accounts, rights or audit.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../test/free-port.ts'

export interface Nginx {
  readonly port: number
  stop(): Promise<void>
}

/**
 * Serves the files of `folder`, which must exist; undefined if nginx is not installed. `http` and `server` are lines
 * for those blocks of its configuration.
 */
export async function startNginx(
  folder: string,
  more: { readonly http?: string; readonly server?: string } = {},
): Promise<Nginx | undefined> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const program = folders.map((one) => join(one, 'nginx')).find((path) => existsSync(path))
  if (program === undefined) {
    console.log('nginx is not installed: measured without it')
    return undefined
  }
  const own = join(folder, 'nginx')
  await mkdir(own, { recursive: true })
  const port = await freePort()
  // Without 'user' its workers would run as another user, who may not read the data folder.
  const config = `
    ${process.geteuid?.() === 0 ? 'user root;' : ''}
    daemon off; worker_processes auto; pid ${own}/pid; error_log stderr crit;
    events { worker_connections 1024; }
    http {
      access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; ${more.http ?? ''}
      client_body_temp_path ${own}/body; proxy_temp_path ${own}/proxy; fastcgi_temp_path ${own}/fastcgi;
      uwsgi_temp_path ${own}/uwsgi; scgi_temp_path ${own}/scgi;
      server {
        listen 127.0.0.1:${port}; root ${folder};
        location / { default_type application/octet-stream; }
        ${more.server ?? ''}
      }
    }`
  await writeFile(join(own, 'conf'), config)
  const child = spawn(program, ['-p', own, '-c', join(own, 'conf')], { stdio: 'inherit' })
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  while (!(await listens(port))) {
    const over = await Promise.race([ended.then(() => true), delay(100, false)])
    if (over) throw new Error('nginx did not start')
  }
  return {
    port,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const up = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  socket.destroy()
  return up
}
