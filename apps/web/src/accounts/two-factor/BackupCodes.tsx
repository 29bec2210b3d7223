import { Button } from '@belvedere/ui';
import { Check, Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { copyText } from '../../downloads/copy.ts';
import { saveUrl } from '../../downloads/save-response.ts';
import { words } from '../messages/words.ts';

interface BackupCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** Back-up codes, which are shown once: to copy or to download. */
export function BackupCodes({ codes, onDone }: BackupCodesProps) {
  const [isCopied, setIsCopied] = useState(false);
  return (
    <div className="flex flex-col gap-3">
      <h2 className="text-15 font-semibold">{words.twoFactor.backup}</h2>
      <p className="text-text-2">{words.twoFactor.backupHint}</p>
      <ul
        className={
          'flex flex-col items-center gap-1 rounded-control border border-border bg-canvas p-3 ' +
          'font-mono text-13'
        }
      >
        {codes.map(code => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
      <span className="flex flex-wrap gap-2">
        <Button
          onPress={() =>
            void copyText(codes.map(code => [code])).then(
              () => setIsCopied(true),
              () => {},
            )
          }
        >
          {isCopied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
          {isCopied ? words.copied : words.twoFactor.copyCodes}
        </Button>
        <Button onPress={() => download(codes)}>
          <Download size={15} aria-hidden />
          {words.twoFactor.download}
        </Button>
        <span role="status" className="sr-only">
          {isCopied ? words.copied : ''}
        </span>
      </span>
      <Button look="primary" className="justify-center" onPress={onDone}>
        {words.twoFactor.saved}
      </Button>
    </div>
  );
}

function download(codes: readonly string[]): void {
  const text = [words.twoFactor.fileTitle(window.location.host), '', ...codes, ''].join('\n');
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  saveUrl(address, `${words.twoFactor.file}.txt`);
  // The browser has taken it over by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
