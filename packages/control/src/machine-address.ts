// The machine address ([R360], [R363]): that of the first network card with one of its own.
import { networkInterfaces } from 'node:os'
import { isMachineAddress } from '@cloudoc/domain'

/** Cards of virtual networks, which come and go. */
const virtual = /^(docker|br-|veth|virbr|vmnet|vboxnet|tun|tap|utun|awdl|llw|zt)/

type Interfaces = ReturnType<typeof networkInterfaces>

/** The address of this computer; empty if no card has one. */
export function machineAddress(interfaces: Interfaces = networkInterfaces()): string {
  const found = Object.entries(interfaces)
    .filter(([name]) => !virtual.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, addresses = []]) => addresses)
    .filter(({ internal, mac }) => !internal && mac !== '00:00:00:00:00:00' && isMachineAddress(mac.toLowerCase()))
  return found[0]?.mac.toLowerCase() ?? ''
}
