// Which build runs: its version from the newest tag of git, and its commit.
import { execFileSync } from 'node:child_process'
import about from '../package.json' with { type: 'json' }

export interface Build {
  /** `1.4.0` for a tag v1.4.0, `1.4.0-3-g1a2b3c4` three commits later; without a tag that of package.json. */
  readonly version: string
  /** The commit, with `-dirty` if files differ from it; `unknown` outside a checkout. */
  readonly commit: string
}

/** Set by scripts/release.mjs, because a release has no checkout. */
declare const RELEASE: Build | undefined

let known: Build | undefined

/** Returns the running build. */
export function runningBuild(): Build {
  known ??= typeof RELEASE === 'undefined' ? buildOf(import.meta.dirname) : RELEASE
  return known
}

/** Returns the build that a checkout makes. */
export function buildOf(folder: string): Build {
  const git = (...args: string[]): string | undefined => {
    try {
      return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    } catch {
      return undefined
    }
  }
  return {
    version: git('describe', '--tags', '--match', 'v[0-9]*')?.slice(1) ?? about.version,
    commit: git('describe', '--always', '--dirty', '--exclude', '*', '--abbrev=12') ?? 'unknown',
  }
}
