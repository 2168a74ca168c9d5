// A registry that mirrors only some platforms makes npm leave the others out of the lockfile, and `npm ci` then refuses
// it everywhere. This script adds every platform package that a locked package names and the lockfile lacks, without an
// integrity (npm fills it in where the package is available). Run it after a dependency change.
import { readFileSync, writeFileSync } from 'node:fs'

const file = process.argv[2] ?? new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8'))
const { packages } = lock

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64']

for (const [owner, { dev, license, engines, optionalDependencies = {} }] of Object.entries(packages)) {
  if (owner === '') continue
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (packages[`node_modules/${name}`] || packages[`${owner}/node_modules/${name}`]) continue
    const parts = name.split(/[/-]/)
    const os = SYSTEMS.find((system) => parts.includes(system))
    const cpu = PROCESSORS.find((processor) => parts.includes(processor))
    if (!os || !cpu) continue
    const libc = parts.some((part) => part.startsWith('musl'))
      ? 'musl'
      : parts.some((part) => part.startsWith('gnu'))
        ? 'glibc'
        : undefined
    packages[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      ...(dev ? { dev } : {}),
      ...(libc ? { libc: [libc] } : {}),
      license,
      optional: true,
      os: [os],
      ...(engines ? { engines } : {}),
    }
  }
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en')))
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
