import koffi from 'koffi';

/** `MADV_HUGEPAGE`, in all of Linux's processor families. */
const advice = 14;
let advise: ReturnType<typeof fromLibrary> | undefined;

/**
 * Asks the system to lay memory out in pages of 2 MiB, before anything is written to it. A new page of 4 KiB costs more than filling it, on virtual
 * machines ten times more, and a scan passes hundreds of thousands. Only Linux has to be asked, and may decline; then nothing is different.
 * @see https://docs.kernel.org/admin-guide/mm/transhuge.html
 */
export function useHugePages(memory: WebAssembly.Memory): void {
  if (process.platform !== 'linux') return;
  advise ??= fromLibrary();
  const { buffer } = memory;
  advise(koffi.address(new Uint8Array(buffer)), buffer.byteLength, advice);
}

function fromLibrary() {
  return koffi.load(null).func('int madvise(intptr_t address, size_t bytes, int advice)') as (
    address: bigint,
    bytes: number,
    advice: number,
  ) => number;
}
