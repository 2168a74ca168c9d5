/** The right bits. `full` is computed by the server for managers and passes every check. [R135] [X4] */
export const Right = {
  deny: 1,
  display: 2,
  preview: 4,
  download: 8,
  upload: 16,
  move: 32,
  modify: 64,
  delete: 128,
  externalLink: 256,
  grant: 512,
  print: 1024,
  full: 2048,
  secretLevel: 1048576,
} as const

/** The name of a right that can be checked; `deny` cannot. */
export type RightName = Exclude<keyof typeof Right, 'deny'>

/** A mask of right bits, branded so that an item status cannot be used in its place. [X49] */
export type Rights = number & { readonly __brand: 'rights' }

/** Brands an external number as a mask of rights. */
export function rights(mask: number): Rights {
  return mask as Rights
}

/** Returns whether the mask grants the right: the full bit passes every check, deny refuses every other one. [R137] */
export function hasRight(mask: Rights, name: RightName): boolean {
  if ((mask & Right.full) !== 0) return true
  return (mask & Right.deny) === 0 && (mask & Right[name]) !== 0
}

const everyRight = Object.values(Right).reduce((mask, bit) => mask | bit, 0) & ~Right.deny

/** The bits that an entry may have: all documented ones except `full`, which cannot be selected. [X4] */
export const selectableRights: Rights = rights((everyRight | Right.deny) & ~Right.full)

/**
 * The named groups of rights as documented, without print. `full` is a group here, not the bit of the same name. [R139]
 */
export const rightsGroup = { invisible: 1, preview: 6, download: 270, edit: 510, full: 1022 } as const

export type RightsGroup = keyof typeof rightsGroup

interface PrintOption {
  /** The server setting `print_rights`: whether printing is a separate right. [X5] */
  readonly printRights: boolean
}

/** Returns the mask of a named group. Groups with download include print if print is a separate right. [X5] */
export function groupRights(name: RightsGroup, { printRights }: PrintOption): Rights {
  const mask = rightsGroup[name]
  return rights(printRights && (mask & Right.download) !== 0 ? mask | Right.print : mask)
}

/** Returns the named group of a mask, or `custom`; the full bit maps to the full group. */
export function groupOf(mask: Rights, options: PrintOption): RightsGroup | 'custom' {
  if ((mask & Right.full) !== 0) return 'full'
  const relevant = options.printRights ? mask : mask & ~Right.print
  const names = Object.keys(rightsGroup) as RightsGroup[]
  return names.find((name) => groupRights(name, options) === relevant) ?? 'custom'
}

/** The rights that each right depends on. [R136] */
const needs: Partial<Record<RightName, number>> = {
  download: Right.display | Right.preview | Right.print,
  upload: Right.display,
  move: Right.display | Right.preview | Right.download | Right.print,
  modify: Right.display | Right.move | Right.download,
  delete: Right.display,
  externalLink: Right.display | Right.preview | Right.download | Right.print,
  grant: Right.display,
  print: Right.display | Right.preview,
}

/**
 * Adds the rights that the rights of the mask depend on; with `print_rights` off nothing depends on print. [R136] [X5]
 */
export function closeRights(mask: Rights, { printRights }: PrintOption): Rights {
  let closed: number = mask
  for (let before = -1; before !== closed; ) {
    before = closed
    for (const [name, needed] of Object.entries(needs)) {
      if ((closed & Right[name as RightName]) !== 0) closed |= printRights ? needed : needed & ~Right.print
    }
  }
  return rights(closed)
}

/** Removes a right from a mask, and the rights that depend on it. [R136] */
export function dropRight(mask: Rights, name: RightName, options: PrintOption): Rights {
  const names = Object.keys(needs) as RightName[]
  const needing = names.filter((one) => (closeRights(rights(Right[one]), options) & Right[name]) !== 0)
  return rights(needing.reduce<number>((left, one) => left & ~Right[one], mask & ~Right[name]))
}

/** Returns the rights for a multi-selection: those that all items have; the full bit counts as all rights. [R138] */
export function lowestRights(masks: readonly Rights[]): Rights {
  if (masks.length === 0) return rights(0)
  return rights(
    masks.reduce<number>((lowest, mask) => {
      if ((mask & Right.full) !== 0) return lowest
      return (mask & Right.deny) !== 0 ? 0 : lowest & mask
    }, everyRight),
  )
}
