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

/** The name of a right that can be asked for; nobody asks for `deny`. */
export type RightName = Exclude<keyof typeof Right, 'deny'>

/** A mask of right bits, branded so that an item status cannot stand in for it. [X49] */
export type Rights = number & { readonly __brand: 'rights' }

/** Takes a number from outside as a mask of rights. */
export function rights(mask: number): Rights {
  return mask as Rights
}

/** Whether the mask grants the right: the full bit passes every check, a deny refuses every other. [R137] */
export function hasRight(mask: Rights, name: RightName): boolean {
  if ((mask & Right.full) !== 0) return true
  return (mask & Right.deny) === 0 && (mask & Right[name]) !== 0
}

const everyRight = Object.values(Right).reduce((mask, bit) => mask | bit, 0) & ~Right.deny

/** The bits an entry may carry: all that are documented except `full`, which is never selectable. [X4] */
export const selectableRights: Rights = rights((everyRight | Right.deny) & ~Right.full)

/** The named groups as documented, without print. `full` here is a group; the bit of that name is another thing. [R139] */
export const rightsGroup = { invisible: 1, preview: 6, download: 270, edit: 510, full: 1022 } as const

/** The name of a group of rights. */
export type RightsGroup = keyof typeof rightsGroup

interface PrintOption {
  /** The server setting `print_rights`: whether printing is a right of its own. [X5] */
  readonly printRights: boolean
}

/** The mask that choosing a named group sets; groups that contain download contain print where print is a right. [X5] */
export function groupRights(name: RightsGroup, { printRights }: PrintOption): Rights {
  const mask = rightsGroup[name]
  return rights(printRights && (mask & Right.download) !== 0 ? mask | Right.print : mask)
}

/** The named group that a mask is, or `custom`; the full bit shows as the full group. */
export function groupOf(mask: Rights, options: PrintOption): RightsGroup | 'custom' {
  if ((mask & Right.full) !== 0) return 'full'
  const relevant = options.printRights ? mask : mask & ~Right.print
  const names = Object.keys(rightsGroup) as RightsGroup[]
  return names.find((name) => groupRights(name, options) === relevant) ?? 'custom'
}

/** What each right needs. [R136] */
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

/** Adds the rights that the mask's rights need; with `print_rights` off nothing needs print. [R136] [X5] */
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

/** Takes a right out of a mask, with those that need it. [R136] */
export function dropRight(mask: Rights, name: RightName, options: PrintOption): Rights {
  const names = Object.keys(needs) as RightName[]
  const needing = names.filter((one) => (closeRights(rights(Right[one]), options) & Right[name]) !== 0)
  return rights(needing.reduce<number>((left, one) => left & ~Right[one], mask & ~Right[name]))
}

/** What a multi-selection may: the rights that every item has; the full bit counts as all of them. [R138] */
export function lowestRights(masks: readonly Rights[]): Rights {
  if (masks.length === 0) return rights(0)
  return rights(
    masks.reduce<number>((lowest, mask) => {
      if ((mask & Right.full) !== 0) return lowest
      return (mask & Right.deny) !== 0 ? 0 : lowest & mask
    }, everyRight),
  )
}
