/*
 * The image of the Dockerfile, built from this checkout and started, by buildah: its isolation by chroot needs neither a
 * registry of images nor cgroups. The base images are made from Debian's packages. What a runtime adds (a read-only root,
 * ports, the health check) stands in compose.yaml, which podman-compose reads.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ready, signIn } from '../running-server.ts'

const checkout = join(import.meta.dirname, '../..')
const image = 'localhost/cloudoc-test'
const user = 10_001
let folder = ''

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', cwd: folder, maxBuffer: 2 ** 27, stdio: ['ignore', 'pipe', 'pipe'] })
const buildah = (...args: string[]): string => run('buildah', '--root', join(folder, 'images'), ...args).trim()

/** Makes an image of a folder tree beside the system of Debian. */
function imageWith(name: string, from: string, paths: readonly string[]): string {
  const container = buildah('from', from)
  for (const path of paths) buildah('copy', container, path, path)
  buildah('commit', '--quiet', container, name)
  buildah('rm', container)
  return name
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloudoc-container-'))
  const debian = join(folder, 'debian.tar')
  const [, suite = 'stable'] = /^VERSION_CODENAME=(\w+)/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? []
  run('mmdebstrap', '--quiet', '--variant=minbase', '--include=ca-certificates,libatomic1', suite, debian)
  const base = 'localhost/cloudoc-base'
  const empty = buildah('from', 'scratch')
  buildah('add', empty, debian)
  buildah('commit', '--quiet', empty, base)
  buildah('rm', empty)
  rmSync(debian)
  // As the usual image of Node: node and npm. A machine may have certificates of its own for the way to the registry.
  const npm = dirname(dirname(run('readlink', '-f', run('sh', '-c', 'command -v npm').trim()).trim()))
  const certificates = '/etc/ssl/certs/ca-certificates.crt'
  const node = process.execPath
  const build = imageWith('localhost/cloudoc-build', base, [node, npm, ...[certificates].filter(existsSync)])
  const registry = run('npm', 'config', 'get', 'registry').trim()
  const container = buildah('from', build)
  buildah('run', '--isolation', 'chroot', container, '--', 'ln', '-s', node, '/usr/local/bin/node')
  buildah(
    'run',
    '--isolation',
    'chroot',
    container,
    '--',
    'ln',
    '-s',
    join(npm, 'bin/npm-cli.js'),
    '/usr/local/bin/npm',
  )
  buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${certificates}`, container)
  buildah('commit', '--quiet', container, build)
  const args = [`BUILD_IMAGE=${build}`, `BASE_IMAGE=${base}`, `NPM_CONFIG_REGISTRY=${registry}`]
  const given = args.flatMap((one) => ['--build-arg', one])
  buildah('bud', '--isolation', 'chroot', '--pull-never', ...given, '--tag', image, checkout)
}, 1_800_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the image serves as a user of its own, writes its data only, and keeps them', async () => {
  const data = join(folder, 'data')
  mkdirSync(data)
  run('chown', String(user), data)
  const config = JSON.parse(buildah('inspect', '--type', 'image', image)) as {
    readonly OCIv1: {
      readonly config: { readonly User: string; readonly Entrypoint: string[]; readonly Env: string[] }
    }
  }
  const { User, Entrypoint, Env } = config.OCIv1.config
  expect(User).toBe(`${user}:${user}`)
  const container = buildah('from', image)
  const inside = ['run', '--isolation', 'chroot', '--volume', `${data}:/data`]
  const secret = { password: 'Container#2026' }
  const settings = { PORT: '0', HOST: '127.0.0.1', CLOUDOC_ADMIN_PASSWORD: secret.password }
  const given = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const start = () =>
    ready(
      spawn(
        'buildah',
        ['--root', join(folder, 'images'), ...inside, ...given, container, '--']
          // What a runtime starts.
          .concat(Entrypoint),
        { stdio: 'pipe' },
      ),
    )
  expect(Env).toContain('CLOUDOC_DATA=/data')
  const first = await start()
  expect((await fetch(`${first.url}/healthz`)).status).toBe(200)
  expect(await signIn({ ...first, ...secret })).toBe('admin')
  await first.stop()
  const write = (path: string): string =>
    buildah(...inside, container, '--', 'sh', '-c', `touch ${path} 2>/dev/null && echo written || echo refused`)
  expect([write('/cloudoc/x'), write('/etc/x'), write('/data/x')]).toEqual(['refused', 'refused', 'written'])
  const second = await start()
  expect(await signIn({ ...second, ...secret })).toBe('admin')
  await second.stop()
})

test.each(['compose.yaml', 'deploy/compose.cluster.yaml'])('podman-compose reads %s', (file) => {
  const env = { POSTGRES_PASSWORD: 'x', S3_ACCESS_KEY_ID: 'x', S3_SECRET_ACCESS_KEY: 'x', PUBLIC_URL: 'https://x' }
  const args = ['--dry-run', '-f', join(checkout, file), 'up', '--no-build']
  const told = execFileSync('podman-compose', args, {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: 'pipe',
  })
  expect(told).toBeDefined()
})
