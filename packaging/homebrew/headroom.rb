class Headroom < Formula
  desc "CPU and memory headroom for Kubernetes workloads: linter, webhook, audit"
  homepage "https://github.com/headroom-dev/headroom"
  version "{{ .Version }}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      {{ archive "headroom_darwin_arm64.tar.gz" }}
    end
    on_intel do
      {{ archive "headroom_darwin_amd64.tar.gz" }}
    end
  end

  on_linux do
    on_arm do
      {{ archive "headroom_linux_arm64.tar.gz" }}
    end
    on_intel do
      {{ archive "headroom_linux_amd64.tar.gz" }}
    end
  end

  def install
    bin.install "headroom", "headroom-full"
    bin.install_symlink "headroom" => "kubectl-headroom"
    bin.install "completions/kubectl_complete-headroom"
    man1.install Dir["man/man1/*.1"]
    generate_completions_from_executable(bin/"headroom", "completion")
  end

  test do
    assert_match "headroom v#{version} ", shell_output("#{bin}/headroom version")
    (testpath/"pod.yaml").write <<~YAML
      apiVersion: v1
      kind: Pod
      metadata: {name: cart}
      spec: {containers: [{name: cart, image: cart:1.0}]}
    YAML
    assert_match "HR301", shell_output("#{bin}/headroom lint --no-config pod.yaml", 1)
  end
end
