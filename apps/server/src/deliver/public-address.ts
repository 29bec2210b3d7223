import { BlockList, isIP } from 'node:net';

/**
 * The ranges of IPv4 that are not the public internet, after IANA's special-purpose registry, with multicast
 * and what is reserved.
 */
const forbidden4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by carriers (CGNAT)
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, with the metadata services of clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
];

/** Ranges within the global unicast addresses of IPv6 that are special, or contain an IPv4 address. */
const forbidden6: readonly (readonly [string, number])[] = [
  ['2001::', 23], // protocol assignments: Teredo, benchmarks, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['2620:4f:8000::', 48], // AS112
  ['3ffe::', 16], // the former 6bone
  ['3fff::', 20], // documentation
];

const forbidden = new BlockList();
for (const [net, prefix] of forbidden4) forbidden.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of forbidden6) forbidden.addSubnet(net, prefix, 'ipv6');

/** All that is unicast and global. Mapped (`::ffff:`), NAT64, local and multicast addresses are outside of it. */
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

/** ISATAP puts an IPv4 address behind these 32 bits of any network. */
const isatap = /:0{0,3}(?:0|200):5efe:/i;

/** Whether an IP address is one of the public internet. Anything else, such as a name, is not. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !forbidden.check(address, 'ipv4');
    case 6:
      // With a zone, an address is local to a link.
      return (
        !address.includes('%') &&
        global6.check(address, 'ipv6') &&
        !forbidden.check(address, 'ipv6') &&
        !isatap.test(expanded(address))
      );
    default:
      return false;
  }
}

/** Returns an IPv6 address with all of its eight groups. */
function expanded(address: string): string {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string | undefined) => (text ? text.split(':') : []);
  if (tail === undefined) return head;
  const missing = 8 - groups(head).length - groups(tail).length;
  return [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail)].join(':');
}
