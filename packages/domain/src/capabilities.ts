// Capabilities: product functions that a user may use at all, independent of the rights on a file. They are granted to
// all users or by roles.

interface Declared {
  readonly group: 'files' | 'company' | 'modules'
  /** Effective only if this capability is also held. */
  readonly needs?: string
}

/** All capabilities in display order. By default all users have each of them. */
export const capabilities = {
  files: { group: 'files' },
  upload: { group: 'files', needs: 'files' },
  download: { group: 'files', needs: 'files' },
  packDownload: { group: 'files', needs: 'download' },
  grant: { group: 'files', needs: 'files' },
  createLinks: { group: 'files', needs: 'files' },
  follow: { group: 'files', needs: 'files' },
  companyTree: { group: 'company' },
  recycle: { group: 'modules', needs: 'files' },
  transfer: { group: 'modules', needs: 'files' },
} as const satisfies Readonly<Record<string, Declared>>

export type Capability = keyof typeof capabilities
export const capabilityNames = Object.keys(capabilities) as readonly Capability[]

/** Returns the capability that a capability depends on. */
export function capabilityNeeds(name: Capability): Capability | undefined {
  const declared: Declared = capabilities[name]
  return declared.needs as Capability | undefined
}

/** The capabilities that one role grants to its members. */
export interface RoleGrants {
  readonly capabilities: ReadonlySet<Capability>
  /** For external users: a member of such a role has only the capabilities of their roles, not those of all users. */
  readonly external: boolean
}

/**
 * Returns the effective capabilities of a user: those of all users and of their roles, without those whose dependency
 * is missing.
 */
export function capabilitiesOf(
  everybody: ReadonlySet<Capability>,
  roles: readonly RoleGrants[],
): ReadonlySet<Capability> {
  const given = new Set(roles.flatMap((role) => [...role.capabilities]))
  if (!roles.some(({ external }) => external)) for (const name of everybody) given.add(name)
  const counts = (name: Capability): boolean => {
    const needed = capabilityNeeds(name)
    return given.has(name) && (needed === undefined || counts(needed))
  }
  return new Set(capabilityNames.filter(counts))
}

/** The modules of the user interface, each controlled by the capability of the same name. */
export const modules = ['files', 'recycle', 'transfer'] as const satisfies readonly Capability[]
