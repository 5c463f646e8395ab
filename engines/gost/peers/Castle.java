// Bouncy Castle, by its own interface, as a peer: see foreign.cpp for what is asked and answered.
// A cipher is made with the key once; then each message sets the initialisation vector anew.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.bouncycastle.crypto.BlockCipher;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.Mac;
import org.bouncycastle.crypto.StreamCipher;
import org.bouncycastle.crypto.engines.GOST28147Engine;
import org.bouncycastle.crypto.engines.GOST3412_2015Engine;
import org.bouncycastle.crypto.macs.CMac;
import org.bouncycastle.crypto.modes.CBCBlockCipher;
import org.bouncycastle.crypto.modes.CFBBlockCipher;
import org.bouncycastle.crypto.modes.G3413CBCBlockCipher;
import org.bouncycastle.crypto.modes.G3413CFBBlockCipher;
import org.bouncycastle.crypto.modes.G3413CTRBlockCipher;
import org.bouncycastle.crypto.modes.G3413OFBBlockCipher;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;
import org.bouncycastle.crypto.params.ParametersWithSBox;

public final class Castle {
    interface Work {
        void message(byte[] in, byte[] out, int size);
    }

    private static final double WARM = 1.0; // seconds for the compiler of the virtual machine
    private static byte[] key, vector;

    private static boolean kuznyechik(String cipher) {
        return cipher.equals("kuznyechik");
    }

    private static CipherParameters keyOf(String cipher) {
        CipherParameters alone = new KeyParameter(key);
        return kuznyechik(cipher) ? alone
                : new ParametersWithSBox(alone, GOST28147Engine.getSBox("Param-Z"));
    }

    private static Work work(String cipher, String mode, boolean encrypt) {
        BlockCipher engine = kuznyechik(cipher) ? new GOST3412_2015Engine() : new GOST28147Engine();
        int block = engine.getBlockSize();
        if (mode.equals("mac")) return authenticating(new CMac(engine, 8 * block), keyOf(cipher));
        if (mode.equals("ecb")) {
            engine.init(encrypt, keyOf(cipher));
            return (in, out, size) -> blocks(engine, block, in, out, size);
        }
        BlockCipher chosen = switch (mode) {
            case "cbc" -> kuznyechik(cipher) ? new G3413CBCBlockCipher(engine)
                    : CBCBlockCipher.newInstance(engine);
            case "cfb" -> kuznyechik(cipher) ? new G3413CFBBlockCipher(engine)
                    : CFBBlockCipher.newInstance(engine, 8 * block);
            case "ofb" -> new G3413OFBBlockCipher(engine);
            default -> new G3413CTRBlockCipher(engine);
        };
        byte[] iv = java.util.Arrays.copyOf(vector, mode.equals("ctr") ? block / 2 : block);
        chosen.init(encrypt, new ParametersWithIV(keyOf(cipher), iv));
        CipherParameters again = new ParametersWithIV(null, iv); // the key stays
        return (in, out, size) -> {
            chosen.init(encrypt, again);
            if (chosen instanceof StreamCipher stream) stream.processBytes(in, 0, size, out, 0);
            else blocks(chosen, block, in, out, size);
        };
    }

    private static void blocks(BlockCipher cipher, int block, byte[] in, byte[] out, int size) {
        for (int at = 0; at < size; at += block) cipher.processBlock(in, at, out, at);
    }

    private static Work authenticating(Mac mac, CipherParameters key) {
        mac.init(key);
        return (in, out, size) -> {
            mac.update(in, 0, size);
            mac.doFinal(out, 0);
        };
    }

    private static double seconds(Work work, byte[] in, byte[] out, int size, int times) {
        long begin = System.nanoTime();
        for (int i = 0; i < times; i++) work.message(in, out, size);
        return 1e-9 * (System.nanoTime() - begin);
    }

    public static void main(String[] words) throws Exception {
        key = HexFormat.of().parseHex(words[0]);
        vector = HexFormat.of().parseHex(words[1]);
        Map<String, Work> warm = new HashMap<>();
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = questions.readLine()) != null; ) {
            String[] said = line.split(" ");
            boolean encrypt = said[3].equals("encrypt");
            if (said[0].equals("message")) {
                byte[] in = HexFormat.of().parseHex(said[4]), out = new byte[in.length + 16];
                work(said[1], said[2], encrypt).message(in, out, in.length);
                int made = said[2].equals("mac") ? kuznyechik(said[1]) ? 16 : 8 : in.length;
                System.out.println(HexFormat.of().formatHex(out, 0, made));
                continue;
            }
            int size = Integer.parseInt(said[4]);
            byte[] in = new byte[size], out = new byte[size + 16];
            Work work = warm.get(said[1] + said[2] + encrypt);
            if (work == null) {
                work = work(said[1], said[2], encrypt);
                for (double spent = 0; spent < WARM; )
                    spent += seconds(work, new byte[4096], new byte[4112], 4096, 10);
                warm.put(said[1] + said[2] + encrypt, work);
            }
            System.out.println(seconds(work, in, out, size, Integer.parseInt(said[5])));
        }
    }
}
