// The command line of the program. Systems put addresses of the web there, so nothing of them may act as an option.
import { readLocalEditAddress } from '@cloudoc/domain'

/** The mark before an address in the command that the installer registers for the schemes. */
const mark = '--'

/** The address that the program was started with: the only argument after the mark, if it is one of ours. */
export function addressOf(args: readonly string[]): string | undefined {
  const at = args.indexOf(mark)
  const [address, ...more] = at === -1 ? [] : args.slice(at + 1)
  return address !== undefined && more.length === 0 && readLocalEditAddress(address) !== undefined ? address : undefined
}

/** The servers that an installation names: `--server=https://…`, before the mark. */
export function serversOf(args: readonly string[]): readonly string[] {
  const before = args.includes(mark) ? args.slice(0, args.indexOf(mark)) : args
  return before.filter((one) => one.startsWith('--server=')).map((one) => one.slice('--server='.length))
}
