// What people may do of what the product offers at all, whatever rights they have on a file: given to everybody or by roles.

interface Declared {
  readonly group: 'files' | 'company' | 'modules'
  /** Counts only together with this one. */
  readonly needs?: string
}

/** Every capability, in the order in which it is shown. Everybody has each until that is taken from them. */
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

/** What a capability counts only together with. */
export function capabilityNeeds(name: Capability): Capability | undefined {
  const declared: Declared = capabilities[name]
  return declared.needs as Capability | undefined
}

/** One role as its holders have it. */
export interface RoleGrants {
  readonly capabilities: ReadonlySet<Capability>
  /** For people from outside: who has such a role has what their roles give, and nothing of what everybody has. */
  readonly external: boolean
}

/** What somebody may do: what everybody may and what their roles give, of it whatever has what it needs. */
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

/** The modules of the interface, each with the capability of its name. */
export const modules = ['files', 'recycle', 'transfer'] as const satisfies readonly Capability[]
